import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

/// One-to-ones of which one side does not refer back. All Notes stores of macOS 12 to 26 have them.
@Suite struct OneSidedPairTests {
    private let run: CommandRun

    init() async throws {
        run = try CommandRun()
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription("Note", [.attribute("n", .string), .toOne("state", "State", inverse: "note")]),
                EntityDescription("State", [.attribute("n", .string), .toOne("note", "Note", inverse: "state")]),
            ]))
        let notes = (1...6).map { #"{"$id":"Note/p\#($0)","state":"State/p\#($0)"}"# }
        let states = (1...6).map { #"{"$id":"State/p\#($0)","note":"Note/p\#($0)"}"# }
        _ = try run.folder.write(
            #"{"entities":{"Note":[\#(notes.joined(separator: ","))],"State":[\#(states.joined(separator: ","))]}}"#,
            to: "d.json")
        let made = await run.run("import", "@d.json", "--model", "@Model.json", "--store", "@Seed.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
    }

    @Test func `A check warns with a count`() async throws {
        #expect(await run.run("store", "check", "@Seed.sqlite").code == 0)
        try run.execute("UPDATE ZSTATE SET ZNOTE = NULL WHERE Z_PK IN (2, 4, 5)")
        try run.execute("UPDATE ZNOTE SET ZSTATE = 1 WHERE Z_PK = 6")
        let check = await run.run("store", "check", "@Seed.sqlite")
        let text = check.output + check.messages
        #expect(check.code == 0, "\(text)")
        #expect(
            text.contains(
                "warning: Note.state: 4 objects refer to objects whose note does not refer back, the first is p2 with p2"
            ),
            "\(text)")
        #expect(
            text.contains("warning: State.note: p6 refers to p6, whose state does not refer back"), "\(text)")
    }

    @Test func `An export with omitted inverses counts what they do not have`() async throws {
        try run.execute("UPDATE ZNOTE SET ZSTATE = NULL WHERE Z_PK IN (2, 3); DELETE FROM ZNOTE WHERE Z_PK = 5")
        let out = await run.run("export", "--store", "@Seed.sqlite", "--output", "@a.json", "--omit-inverses")
        #expect(out.code == 0, "\(out.messages)")
        #expect(
            out.messages.contains("State.note: 3 references that the inverse does not have were not exported"),
            "\(out.messages)")
        let whole = await run.run("export", "--store", "@Seed.sqlite", "--output", "@b.json")
        #expect(whole.code == 0 && !whole.messages.contains("warning"), "\(whole.messages)")
    }

    @Test(arguments: [
        "a.json"
    ])
    func `An export and a restored store keep both sides`(_ file: String) async throws {
        try run.execute("UPDATE ZSTATE SET ZNOTE = NULL WHERE Z_PK = 2; UPDATE ZNOTE SET ZSTATE = 1 WHERE Z_PK = 6")
        let out = await run.run("export", "--store", "@Seed.sqlite", "--output", "@" + file)
        #expect(out.code == 0, "\(out.messages)")
        let again = await run.run("import", "@" + file, "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        let same = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite")
        #expect(same.code == 0, "\(same.output)\(same.messages)")
        try run.execute("UPDATE ZSTATE SET ZNOTE = 2 WHERE Z_PK = 2", in: "New.sqlite")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite")
        #expect(diff.code == 1 && diff.output.contains("State/p2"), "\(diff.output)")
        #expect(!diff.output.contains("Note/p2:"), "\(diff.output)")
    }
}
