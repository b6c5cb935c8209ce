import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

struct ModelCommandTests {
    private static let broken = ManagedObjectModel(entities: [
        EntityDescription(
            "A", [.toOne("b", "Nowhere", inverse: nil), .attribute("x", .string), .attribute("x", .string)])
    ])

    @Test func hashes() async throws {
        let run = try CommandRun()
        try run.writeModel()
        let result = await run.run("model", "hash", "@Model.json", "--format", "json")
        #expect(result.code == 0)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let schema = try CommandRun.model.resolved()
        #expect(answer["entities"] as? [String: String] == schema.versionHashes.mapValues { $0.base64EncodedString() })
        #expect(answer["checksum"] as? String == schema.checksum)
        #expect(answer["digest"] as? String == schema.digest)
        let text = await run.run("model", "hash", "@Model.json")
        #expect(text.output.contains("checksum  \(schema.checksum)\n"))
    }

    @Test func showTellsRules() async throws {
        let run = try CommandRun()
        try run.writeModel()
        let text = await run.run("model", "show", "@Model.json")
        #expect(
            text.output == """
                Injury  (number 1)
                  key       Integer 16                  required, at least 0
                  name      String                      required, length 1 to 20
                  patients  →→ Patient, inverse injury  optional, on delete Nullify
                  unique: name

                Patient  (number 2)
                  name    String                      required
                  age     Integer 16                  optional, at most 130
                  injury  → Injury, inverse patients  optional, on delete Nullify

                """)
        // The JSON is a model archive itself.
        let json = await run.run("model", "show", "@Model.json", "--format", "json")
        _ = try run.folder.write(json.output, to: "Shown.json")
        #expect(await run.run("model", "hash", "@Shown.json").output == run.run("model", "hash", "@Model.json").output)
    }

    /// A compiled model with an index over an expression: shown, compared, and in every format.
    @Test func expressionIndexes() async throws {
        let run = try CommandRun()
        var model = CommandRun.model
        var index = FetchIndexDescription(
            name: "byKey", elements: [.init(propertyName: "key"), .init(expression: "SELF", isAscending: false)])
        index.partialIndexPredicate = "key > 1"
        model.entities[0].fetchIndexes = [index]
        model.entities[0].userInfo = ["k": "1"]
        try run.writeModel(model)
        let shown = await run.run("model", "show", "@Model.json").output
        #expect(shown.contains("  index byKey: key, expression SELF descending where key > 1\n"))
        for (source, target) in [
            ("Model.json", "A.mom"), ("A.mom", "B.xcdatamodel"), ("B.xcdatamodel", "C.plist"), ("C.plist", "D.momd"),
        ] {
            let result = await run.run("model", "convert", "@" + source, "--output", "@" + target)
            #expect(result.code == 0 && result.messages.isEmpty, "\(target): \(result.messages)")
            let check = await run.run("model", "check", "@" + target)
            #expect(check.code == 0 && check.messages.contains("0 errors, 0 warnings"), "\(target): \(check.messages)")
            let difference = await run.run("model", "diff", "@Model.json", "@" + target)
            #expect(!difference.output.contains("index") && !difference.output.contains("userInfo"))
        }
        model.entities[0].fetchIndexes[0].elements[1].expression = "entity"
        model.entities[0].userInfo = ["k": 1]
        try run.writeModel(model, to: "Newer.json")
        let difference = await run.run("model", "diff", "@Model.json", "@Newer.json").output
        #expect(
            difference.contains("expression SELF descending") && difference.contains("expression entity descending"))
        #expect(difference.contains("userInfo.k text 1 → integer 1"), "\(difference)")

        // The number has no place in the XML.
        let refused = await run.run("model", "convert", "@Newer.json", "--output", "@E.xcdatamodel")
        #expect(
            refused.code == 65 && refused.messages.contains("\"k\" in the user info") && !run.exists("E.xcdatamodel"))
    }

    @Test(arguments: ["E.xcdatamodel", "E.json", "E.plist", "E.mom"])
    func brokenModelsAreNotConverted(_ target: String) async throws {
        let run = try CommandRun()
        try run.writeModel(Self.broken, to: "Broken.json")
        let result = await run.run("model", "convert", "@Broken.json", "--output", "@" + target)
        #expect(result.code == 65 && result.messages.contains("Nowhere") && !run.exists(target), "\(result.messages)")
    }

    @Test func checkFindsEverything() async throws {
        let run = try CommandRun()
        try run.writeModel()
        let good = await run.run("model", "check", "@Model.json")
        #expect(good.code == 0 && good.messages == "checked 2 entities: 0 errors, 0 warnings\n")

        try run.writeModel(Self.broken, to: "Broken.json")
        let bad = await run.run("model", "check", "@Broken.json")
        #expect(bad.code == 1 && bad.output.isEmpty)
        #expect(bad.messages.contains("granary: error: A.b: ") && bad.messages.contains("granary: error: A.x: "))

        let cut = await run.run("model", "check", "@Broken.json", "--max-diagnostics", "1")
        #expect(cut.messages.split(separator: "\n").count == 3)
        #expect(cut.messages.contains("\n… and "))
    }

    @Test func unreadableModels() async throws {
        let run = try CommandRun()
        _ = try run.folder.write("{", to: "cut.json")
        _ = try run.folder.write("", to: "empty.json")
        #expect(await run.run("model", "check", "@nix.json").code == 66)
        #expect(await run.run("model", "check", "@cut.json").code == 65)
        #expect(await run.run("model", "show", "@empty.json").code == 65)
        // A model with problems cannot be worked with.
        try run.writeModel(Self.broken, to: "Broken.json")
        let result = await run.run("model", "hash", "@Broken.json")
        #expect(result.code == 65 && result.messages.contains("the model has "))
        try run.writeStore()
        try run.writeCache(nil)
        let store = await run.run("model", "show", "@Seed.sqlite")
        #expect(store.code == 65 && store.messages.contains("the store contains no model"))
    }

    @Test func severalAreMerged() async throws {
        let run = try CommandRun()
        try run.writeModel()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("Z", [])]), to: "Z.json")
        #expect(await run.run("model", "hash", "@Model.json", "@Z.json").output.contains("Z      "))
        try run.writeModel(
            ManagedObjectModel(entities: [EntityDescription("Patient", [.attribute("other", .string)])]), to: "P.json")
        let conflict = await run.run("model", "hash", "@Model.json", "@P.json")
        #expect(conflict.code == 65 && conflict.messages.contains("[model.conflict]"))
    }

    @Test(arguments: [
        "Other.json", "Other.plist", "Other.momd", "Other.mom", "Other.xcdatamodeld", "Other.xcdatamodel",
    ])
    func convert(name: String) async throws {
        let run = try CommandRun()
        try run.writeModel()
        let first = await run.run("model", "convert", "@Model.json", "--output", "@" + name)
        #expect(first.code == 0 && first.messages.isEmpty)
        #expect(await run.run("model", "hash", "@" + name).output == run.run("model", "hash", "@Model.json").output)
        #expect(await run.run("model", "convert", "@Model.json", "--output", "@" + name).code == 73)
        #expect(await run.run("model", "convert", "@Model.json", "--output", "@" + name, "--force").code == 0)
        #expect(try run.names == ["Model.json", name])
    }

    @Test func convertRefuses() async throws {
        let run = try CommandRun()
        try run.writeModel()
        for name in ["@a.omo", "@a.sqlite", "@a"] {
            #expect(await run.run("model", "convert", "@Model.json", "--output", name, "--force").code == 64)
        }
        #expect(await run.run("model", "convert", "@Model.json", "--output", "@no/such/a.json").code == 73)
        #expect(await run.run("model", "convert", "@nix", "--output", "@a.json").code == 66)
        #expect(try run.names == ["Model.json"])
    }

    @Test func convertKeepsVersions() async throws {
        let run = try CommandRun()
        var second = CommandRun.model
        second.versionIdentifiers = ["2"]
        let versions = [NamedModel(name: "A", model: CommandRun.model), NamedModel(name: "B", model: second)]
        let source = URL(filePath: run.path("Source.xcdatamodeld"))
        try ManagedObjectModel.write(versions, current: "B", to: source, as: .xcdatamodeld)
        #expect(await run.run("model", "convert", "@Source.xcdatamodeld", "--output", "@All.momd").code == 0)
        #expect(await run.run("model", "convert", "@All.momd", "--output", "@Again.xcdatamodeld").code == 0)
        for name in ["All.momd", "Again.xcdatamodeld"] {
            let listed = try ManagedObjectModel.versions(in: URL(filePath: run.path(name)))
            #expect(listed.map(\.name) == ["A", "B"])
            #expect(listed.map(\.isCurrent) == [false, true])
        }
        let one = await run.run("model", "convert", "@All.momd", "--output", "@One.json")
        #expect(
            one.code == 0 && one.messages.contains("contains the current version, B, not A; --version selects another"))
        #expect(try run.text("One.json").contains("\"2\""))
        let chosen = await run.run("model", "convert", "@All.momd", "--version", "A", "--output", "@A.json")
        #expect(chosen.code == 0 && chosen.messages.isEmpty)
        #expect(try !run.text("A.json").contains("\"2\""))
        let missing = await run.run("model", "convert", "@All.momd", "--version", "C", "--output", "@C.json")
        #expect(missing.code == 65 && missing.messages.contains("there is no version \"C\"; it has A, B"))
    }
}
