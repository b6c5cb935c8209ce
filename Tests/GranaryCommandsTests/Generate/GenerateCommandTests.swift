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

    private func generate(_ words: String...) async -> CommandRun.Result { await generate(words) }

    private func generate(_ words: [String]) async -> CommandRun.Result {
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

    @Test("A preview prints the first objects of a run, needs no store, and writes nothing")
    func preview() async throws {
        let words = ["generate", "--model", "@Model.json", "--random-seed", "7"]
        let each = await run.run(words + ["--preview", "2"])
        #expect(each.code == 0, "\(each.messages)")
        #expect(
            each.output.hasPrefix("Injury: 2 objects\n$id ") && each.output.contains("\n\nPatient: 2 objects\n$id "))
        #expect(each.ledger == "granary: a preview of 4 objects: nothing was stored")
        #expect(try run.names == ["Model.json"])
        let counts = ["--count", "Injury=5", "--count", "Patient=20", "--links", "Injury.patients=4"]
        let first = await run.run(words + counts + ["--preview", "3", "--format", "json"])
        #expect(try run.names == ["Model.json"] && first.code == 0, "\(first.messages)")
        #expect(await generate(["--random-seed", "7"] + counts).code == 0)
        let exported = await run.run("export", "@T.sqlite", "--output", "@all.json", "--reference", "id")
        #expect(exported.code == 0, "\(exported.messages)")
        let (some, all) = (try entities(first.output), try entities(try run.text("all.json")))
        for (name, list) in all { #expect(some[name] as NSArray? == Array(list.prefix(3)) as NSArray?, "\(name)") }
        #expect(some.keys.sorted() == ["Injury", "Patient"])
        // A preview of objects that are added to a store, which stays as it is.
        let before = try Data(contentsOf: URL(filePath: run.path("T.sqlite")))
        let more = await run.run(["generate", "--store", "@T.sqlite", "--count", "Patient=4", "--preview", "2"])
        #expect(more.code == 0 && more.output.hasPrefix("Patient: the first 2 of 4 objects\n"), "\(more.messages)")
        #expect(more.output.contains("Patient/p21"), "\(more.output)")
        #expect(try Data(contentsOf: URL(filePath: run.path("T.sqlite"))) == before)
    }

    private func entities(_ json: String) throws -> [String: [Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(document?["entities"] as? [String: [Any]])
    }

    @Test("Objects like those of a store, at once or as a plan without its texts")
    func like() async throws {
        let marked = [
            "--generator", "Patient.name=one of Secret Ann, Secret Bob", "--generator", "Patient.age=number 30..39",
        ]
        #expect(await generate(["--count", "Injury=12", "--count", "Patient=300"] + marked).code == 0)
        let words = ["generate", "--like", "@T.sqlite", "--model", "@Model.json"]
        let saved = await run.run(words + ["--save-plan", "@like.yaml", "--store", "@New.sqlite"])
        #expect(saved.code == 0 && saved.ledger.hasPrefix("saved a plan for 312 objects: "), "\(saved.messages)")
        let plan = try run.text("like.yaml")
        #expect(
            !plan.contains("Secret") && plan.contains("\"Patient\": 300") && plan.contains("\"Patient.age\": \"number"))
        #expect(!run.exists("New.sqlite"))
        #expect(await run.run(words + ["--save-plan", "@like.yaml"]).code == 73)
        // A plan is read by others.
        let secret = await run.run(
            words + ["--save-plan", "@remote.yaml", "--store", "postgresql://ann:wr0ngTq7@localhost/none"])
        #expect(secret.code == 0 && secret.messages.contains("does not contain the password"), "\(secret.messages)")
        let remote = try run.text("remote.yaml")
        #expect(remote.contains("postgresql://ann@localhost/none") && !remote.contains("wr0ngTq7"), "\(remote)")
        let seeded = await run.run(["seed", "@like.yaml"])
        #expect(seeded.code == 0, "\(seeded.messages)")
        let ages = await run.run(["query", "@New.sqlite", "Patient WHERE age < 30 OR age > 40", "--count"])
        #expect(ages.output == "0\n", "\(ages.messages)\(plan)")
        let direct = await run.run(words + ["--store", "@Direct.sqlite", "--count", "Patient=7"])
        #expect(direct.code == 0 && direct.ledger == "generated 19 objects: Injury 12, Patient 7", "\(direct.messages)")
        #expect(await run.run(["store", "check", "@New.sqlite", "--model", "@Model.json"]).code == 0)
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
            (["--count", "Injury=1", "--locale", "xx"], "xx"), (["--preview", "0"], "--preview must be between 1"),
            (["--preview", "3", "--dry-run"], "--preview stores nothing"),
            (["--count", "Injury=1", "--links", "Injury"], "= is missing"),
            (["--count", "Injury=1", "--links", "Injury.patient=3"], "did you mean \"patients\"?"),
            (["--count", "Injury=1", "--format", "json"], "the format of --preview"),
            (["--count", "Injury=1", "--save-plan", "p.yaml"], "need --like"),
        ])
    func usage(_ words: [String], _ message: String) async throws {
        let result = await run.run(["generate", "--model", "@Model.json", "--store", "@T.sqlite"] + words)
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
        #expect(try run.names == ["Model.json"])
    }
}
