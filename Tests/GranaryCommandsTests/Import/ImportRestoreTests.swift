import Foundation
import TestSupport
import Testing

/// `granary import --as-is`.
@Suite struct ImportRestoreTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel()
    }

    private func restore(_ file: String, _ more: [String] = [], into store: String = "@New.sqlite") async
        -> CommandRun.Result
    {
        await run.run(["import", "@" + file, "--model", "@Model.json", "--store", store, "--as-is"] + more)
    }

    /// An old store: an age beyond the maximum, a name that is too long, and a patient of a missing injury.
    private func writeOldStore() throws {
        try FileManager.default.removeItem(atPath: run.path("Model.json"))
        try run.writeStore()
        try run.execute("UPDATE ZPATIENT SET ZAGE = 200 WHERE Z_PK = 1")
        try run.execute("UPDATE ZPATIENT SET ZINJURY = 77 WHERE Z_PK = 2")
        try run.execute("UPDATE ZINJURY SET ZNAME = 'A name of more than twenty units' WHERE Z_PK = 1")
    }

    @Test(arguments: ["json"])
    func `An old store is taken out and in`(_ format: String) async throws {
        try writeOldStore()
        let out = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--reference", "id", "--output",
            "@old." + format)
        #expect(out.code == 0, "\(out.messages)")
        let strict = await run.run(
            "import", "@old." + format, "--model", "@Model.json", "--store", "@Strict.sqlite", "--lookup", "injury=$id")
        #expect(strict.code == 65 && !run.exists("Strict.sqlite"))
        let result = await restore("old." + format)
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger == "read 4 = created 4 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        for code in ["value.tooLarge", "value.tooLong", "relationship.notFound"] {
            #expect(result.lines.contains { $0.contains("warning: ") && $0.contains("[\(code)]") }, "\(code)")
        }
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite", "--model", "@Model.json")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
        // The new store has objects now.
        let again = await restore("old." + format)
        #expect(again.code == 65 && again.messages.contains("the store has objects"), "\(again.messages)")
    }

    @Test(arguments: [
        ["--key", "name"], ["--entity", "Patient", "--prune"],
    ])
    func `Options without a meaning are wrong usage`(_ options: [String]) async throws {
        _ = try run.folder.write(#"{"entities":{"Injury":[{"$id":"Injury/p1","key":0,"name":"Burn"}]}}"#, to: "in.json")
        let result = await restore("in.json", options)
        #expect(result.code == 64, "\(result.messages)")
        #expect(!run.exists("New.sqlite"))
    }
}

@Suite struct ImportRestoreLongTests {
    @Test(arguments: ["plist"])
    func `An old store is taken out and in`(_ format: String) async throws {
        try await ImportRestoreTests().`An old store is taken out and in`(format)
    }

    @Test(arguments: [
        ["--on-conflict", "update"], ["--lookup", "injury=name"], ["--on-missing", "null"], ["--constant", "age=1"],
        ["--null-is-default"], ["--mode", "keep-good"],
    ])
    func `Options without a meaning are wrong usage`(_ options: [String]) async throws {
        try await ImportRestoreTests().`Options without a meaning are wrong usage`(options)
    }
}
