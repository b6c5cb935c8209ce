import Foundation
import GranaryModel
import Testing

/// `granary generate` in this process: options, messages and exit codes.
struct GenerateCommandTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel()
    }

    private func generate(_ words: String...) async -> CommandRun.Result {
        await run.run(["generate", "--model", "@Model.json", "--store", "@T.sqlite"] + words)
    }

    @Test("Objects are generated, added and filled up")
    func generates() async {
        let first = await generate("--count", "Injury=5", "--count", "Patient=20", "--random-seed", "7")
        #expect(first.code == 0, "\(first.messages)")
        #expect(first.ledger == "generated 25 objects: Injury 5, Patient 20")
        let more = await generate("--count", "Patient=1", "--generator", "Patient.name=one of Zed")
        #expect(more.code == 0 && more.ledger == "generated 1 object: Patient 1", "\(more.messages)")
        let full = await generate("--count", "Patient=21", "--fill-up")
        #expect(full.code == 0 && full.ledger == "generated 0 objects", "\(full.messages)")
        let query = await run.run(["query", "@T.sqlite", "Patient WHERE name == 'Zed'", "--count"])
        #expect(query.output == "1\n", "\(query.messages)")
        #expect(await run.run(["store", "check", "@T.sqlite", "--model", "@Model.json"]).code == 0)
    }

    @Test("A dry run creates no store")
    func dryRun() async throws {
        let result = await generate("--count", "Injury=5", "--dry-run")
        #expect(result.code == 0 && result.messages.contains("dry run"), "\(result.messages)")
        #expect(try run.names == ["Model.json"])
    }

    @Test("What the model cannot satisfy is refused, and no store is created")
    func refused() async throws {
        try FileManager.default.removeItem(atPath: run.path("Model.json"))
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription("Ticket", [.attribute("isOpen", .boolean, .required)], unique: [["isOpen"]])
            ]))
        let result = await generate("--count", "Ticket=10")
        #expect(result.code == 65, "\(result.messages)")
        #expect(
            result.messages.contains("Ticket.isOpen") && result.messages.contains("The largest count is 2"),
            "\(result.messages)")
        #expect(try run.names == ["Model.json"])
    }

    @Test(
        "Wrong usage",
        arguments: [
            (["--count", "Patient"], "= is missing"),
            (["--count", "Patint=5"], "did you mean \"Patient\"?"),
            (["--count", "Injury=1", "--locale", "xx"], "xx"),
        ])
    func usage(_ words: [String], _ message: String) async throws {
        let result = await run.run(["generate", "--model", "@Model.json", "--store", "@T.sqlite"] + words)
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
        #expect(try run.names == ["Model.json"])
    }
}
