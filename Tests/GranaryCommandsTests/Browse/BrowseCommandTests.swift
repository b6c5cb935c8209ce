import TestSupport
import Testing

@testable import GranaryCommands

/// What `granary browse` refuses before it serves anything. Tests of the binary serve stores.
struct BrowseCommandTests {
    @Test(
        "Wrong usage",
        arguments: [
            (["--port", "65536"], "--port must be a number from 0 to 65535"), (["--port", "x"], "--port"),
            (["--zone", "Mars"], "--zone Mars: is no time zone"), (["--store", "S"], "the store is given twice"),
        ])
    func usage(_ options: [String], _ message: String) async throws {
        let run = try CommandRun()
        let result = await run.run(["browse", "@Seed.sqlite"] + options)
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
        #expect(result.output == "")
    }

    @Test func storesThatCannotBeOpened() async throws {
        let run = try CommandRun()
        #expect(await run.run("browse", "@Missing.sqlite").code == 66)
        _ = try run.folder.write("no store", to: "Text.sqlite")
        #expect(await run.run("browse", "@Text.sqlite").code == 65)
        _ = try run.folder.write("<?xml version=\"1.0\"?><plist><dict/></plist>", to: "List.plist")
        #expect(await run.run("browse", "@List.plist").code == 65)
        try run.writeStore()
        #expect(await run.run("browse", "@Seed.sqlite", "--model", "@Missing.json").code == 66)
    }
}
