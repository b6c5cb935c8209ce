import Foundation
import GranaryModel
import TestSupport
import Testing

/// Commands without `--model`: with the model in the store, or with one that its tables tell.
@Suite struct StoreModelCommandTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
        _ = try run.folder.write("key,name\n2,Cut\n", to: "in.csv")
    }

    private func document(_ name: String) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(run.text(name).utf8))
        return try #require(json as? [String: Any])
    }

    /// The objects of a document, in one spelling.
    private func entities(_ name: String) throws -> Data {
        let entities = try #require(try document(name)["entities"])
        return try JSONSerialization.data(withJSONObject: entities, options: .sortedKeys)
    }

    @Test func whatAStoreCarriesIsUsed() async throws {
        try run.writeCache(CommandRun.model)
        for (words, name) in [(["--model", "@Model.json"], "@a.json"), ([], "@b.json")] {
            let result = await run.run(["export", "--store", "@Seed.sqlite", "--output", name] + words)
            #expect(result.code == 0 && result.messages.hasSuffix("exported 4 = Injury 2 + Patient 2\n"))
        }
        #expect(try entities("a.json") == entities("b.json"))
        #expect((try document("b.json")["model"] as? [String: Any])?["inferred"] == nil)
        #expect(await run.run("store", "check", "@Seed.sqlite").code == 0)
        let hashes = await run.run("model", "hash", "@Model.json").output
        #expect(await run.run("model", "hash", "@Seed.sqlite").output == hashes)

        let imported = await run.run("import", "@in.csv", "--store", "@Seed.sqlite", "--entity", "Injury")
        #expect(imported.code == 0, "\(imported.messages)")
        #expect(imported.ledger == ImportBench.ledger(1, created: 1))
        let refused = await run.run("import", "@in.csv", "--store", "@Seed.sqlite", "--entity", "Injury")
        #expect(refused.code == 65 && refused.messages.contains("[unique.exists]"))
    }

    @Test func aPlanNeedsNoModelForAStoreThatCarriesIt() async throws {
        try run.writeCache(CommandRun.model)
        _ = try run.folder.write(
            "store: Seed.sqlite\nimports:\n  - {entity: Injury, file: in.csv}\n", to: "seed.yaml")
        let seeded = await run.run("seed", "@seed.yaml")
        #expect(seeded.code == 0 && seeded.ledger == ImportBench.ledger(1, created: 1), "\(seeded.messages)")
        _ = try run.folder.write(
            "store: New.sqlite\nimports:\n  - {entity: Injury, file: in.csv}\n", to: "new.yaml")
        let new = await run.run("seed", "@new.yaml")
        #expect(new.code == 64 && new.messages.contains("name the model"))
        try run.writeCache(nil)
        let unknown = await run.run("seed", "@seed.yaml")
        #expect(unknown.code == 65 && unknown.messages.contains("a model is needed"))
    }

    @Test func anInferredModelIsSaidEverywhere() async throws {
        try run.writeCache(nil)
        let warning = "granary: warning: \(run.path("Seed.sqlite")): the model is inferred from its tables"
        let exported = await run.run("export", "--store", "@Seed.sqlite", "--output", "@a.json")
        #expect(exported.code == 0 && exported.messages.contains(warning), "\(exported.messages)")
        let document = try document("a.json")
        #expect((document["model"] as? [String: Any])?["inferred"] as? Bool == true)
        let patients = try #require((document["entities"] as? [String: [[String: Any]]])?["Patient"])
        #expect(patients.map { $0["name"] as? String } == ["Ann", "Bob"])
        #expect(patients.first?["injury"] as? String == "Injury/p2")

        let checked = await run.run("store", "check", "@Seed.sqlite")
        #expect(
            checked.code == 0 && checked.messages.contains("note: \(run.path("Seed.sqlite")): the model is inferred"))
        let info = await run.run("store", "info", "@Seed.sqlite", "--format", "json")
        #expect(info.output.contains("the model is inferred from its tables"))
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any])
        #expect(answer["model"] as? String == "inferred")
        #expect((answer["entities"] as? [[String: Any]])?.first?["abstract"] is NSNull)
    }

    @Test func whatIsInferredIsNotWritten() async throws {
        try run.writeCache(nil)
        let before = try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite"))
        let result = await run.run("import", "@in.csv", "--store", "@Seed.sqlite", "--entity", "Injury")
        #expect(result.code == 65 && result.messages.contains("a model is needed"))
        #expect(try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite")) == before)
        let new = await run.run("import", "@in.csv", "--store", "@New.sqlite", "--entity", "Injury")
        #expect(new.code == 64 && new.messages.contains("add --model"))
        #expect(!run.exists("New.sqlite"))
        let named = await run.run(
            "import", "@in.csv", "--store", "@New.sqlite", "--entity", "Injury", "--model", "@Seed.sqlite")
        #expect(named.code == 65 && named.messages.contains("contains no model"))
    }

    @Test func aStoreIsTheModelOfAnother() async throws {
        try run.writeCache(CommandRun.model)
        let result = await run.run(
            "import", "@in.csv", "--store", "@New.sqlite", "--entity", "Injury", "--model", "@Seed.sqlite")
        #expect(result.code == 0, "\(result.messages)")
        #expect(await run.run("store", "check", "@New.sqlite", "--model", "@Model.json").code == 0)
    }

    @Test func tablesThatTellNoModel() async throws {
        try run.writeCache(nil)
        try run.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 1")
        let exported = await run.run("export", "--store", "@Seed.sqlite", "--output", "@a.json")
        #expect(exported.code == 65 && exported.messages.contains("[store.layout]"))
        let info = await run.run("store", "info", "@Seed.sqlite", "--format", "json")
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any])
        #expect(answer["model"] as? String == "inferred")
        #expect(info.messages.isEmpty && info.output.contains("none can be inferred from its tables"))
    }
}
