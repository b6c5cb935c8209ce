import Foundation
import GranaryModel
import GranaryModelFiles
import GranaryPropertyLists
import TestSupport
import Testing

struct ModelVersionsCommandTests {
    private static func model(_ properties: PropertyDescription..., others: [EntityDescription] = [])
        -> ManagedObjectModel
    {
        ManagedObjectModel(entities: [EntityDescription("Person", [.attribute("name", .string)] + properties)] + others)
    }

    private static let pet = EntityDescription("Pet", [.attribute("name", .string)])

    /// The type of an attribute changes, with a version between that lacks the attribute.
    static let shop = [
        NamedModel(name: "Shop", model: model(.attribute("note", .string))), NamedModel(name: "Shop 2", model: model()),
        NamedModel(name: "Shop 10", model: model(.attribute("note", .integer32), others: [pet])),
    ]

    /// The same change in one step.
    static let blocked = [
        NamedModel(name: "A", model: model(.attribute("note", .string))),
        NamedModel(name: "B", model: model(.attribute("note", .integer32))),
    ]

    /// Writes `Shop.xcdatamodeld`. The last version is the current one.
    static func write(_ versions: [NamedModel], in run: CommandRun) throws {
        try ManagedObjectModel.write(
            versions, current: try #require(versions.last).name, to: URL(filePath: run.path("Shop.xcdatamodeld")),
            as: .xcdatamodeld)
    }

    @Test func text() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let result = await run.run("model", "versions", "@Shop.xcdatamodeld")
        #expect(result.code == 0 && result.messages.isEmpty, "\(result.messages)")
        let checksums = try Self.shop.map { try $0.model.resolved().checksum }
        let gap = String(repeating: " ", count: 17)
        #expect(result.output.contains("  Shop     \(checksums[0])  \(gap)        Person\n"))
        #expect(result.output.contains("  Shop 2   \(checksums[1])  inferred\(gap)Person\n"))
        #expect(result.output.contains("* Shop 10  \(checksums[2])  inferred\(gap)Person, Pet\n"))
        #expect(
            result.output.hasSuffix(
                """

                from each version (row) to each newer one (column):
                              1 2 3
                  1  Shop     . i x
                  2  Shop 2     . i
                  3  Shop 10      .
                  = equal version hashes, i inferred, d inferred if the data fits, ? unsure, x needs a mapping model

                """), "\(result.output)")
    }

    @Test func remarks() async throws {
        let run = try CommandRun()
        var equal = Self.blocked[1].model
        equal.entities[0].userInfo = ["a": "b"]
        try Self.write(Self.blocked + [NamedModel(name: "C", model: equal)], in: run)
        let result = await run.run("model", "versions", "@Shop.xcdatamodeld")
        #expect(result.code == 0)
        #expect(result.output.contains("\nA to B: needs a mapping model\n  Person.note: "))
        #expect(!result.output.contains("B to C"))
        #expect(result.output.contains("  1  A  . x x\n  2  B    . =\n"))
        #expect(
            result.output.hasSuffix("\nB, C: equal checksums; Core Data refuses a staged migration with both\n"),
            "\(result.output)")
    }

    @Test func paths() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld"]
        var result = await run.run(words + ["--from", "Shop", "--to", "Shop 10.xcdatamodel"])
        #expect(result.code == 0)
        #expect(
            result.output.hasSuffix(
                """

                the shortest path from Shop to Shop 10 has 2 steps:
                  Shop to Shop 2: inferred
                  Shop 2 to Shop 10: inferred

                """), "\(result.output)")

        result = await run.run(words + ["--from", "Shop", "--to", "Shop 3"])
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(
            result.messages.contains(
                "--to: there is no version \"Shop 3\"; did you mean \"Shop 2\"?; the versions are Shop, Shop 2, Shop 10"
            ),
            "\(result.messages)")
        #expect(await run.run(words + ["--from", "Shop"]).code == 64)
    }

    @Test func noPath() async throws {
        let run = try CommandRun()
        try Self.write(Self.blocked, in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld", "--from", "A", "--to", "B"]
        let text = await run.run(words)
        #expect(text.code == 1)
        #expect(text.output.hasSuffix("\nthere is no path of inferred migrations from A to B\n"))
        let json = await run.run(words + ["--format", "json"])
        #expect(json.code == 1)
        #expect(try Self.object(json.output)["path"] is NSNull)
    }

    @Test func json() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld", "--format", "json"]
        let result = await run.run(words)
        #expect(result.code == 0)
        let answer = try Self.object(result.output)
        #expect(Set(answer.keys) == ["versions", "steps", "equalChecksums", "path", "store", "mappings"])
        #expect(answer["path"] is NSNull && answer["store"] is NSNull)
        #expect((answer["equalChecksums"] as? [[String]])?.isEmpty == true)
        #expect((answer["mappings"] as? [[String: Any]])?.isEmpty == true)

        let versions = try #require(answer["versions"] as? [[String: Any]])
        #expect(versions.map { $0["name"] as? String } == ["Shop", "Shop 2", "Shop 10"])
        #expect(versions.map { $0["current"] as? Bool } == [false, false, true])
        #expect(versions.map { $0["onlyHere"] as? [String] } == [["Person"], ["Person"], ["Person", "Pet"]])
        for (version, own) in zip(versions, Self.shop) {
            let schema = try own.model.resolved()
            #expect(version["checksum"] as? String == schema.checksum)
            let hashes = schema.versionHashes.mapValues { $0.base64EncodedString() }
            #expect(version["entities"] as? [String: String] == hashes)
        }

        let steps = try #require(answer["steps"] as? [[String: Any]])
        #expect(steps.map { $0["from"] as? String } == ["Shop", "Shop", "Shop 2"])
        #expect(steps.map { $0["to"] as? String } == ["Shop 2", "Shop 10", "Shop 10"])
        #expect(steps.map { $0["migration"] as? String } == ["inferred", "needsMapping", "inferred"])
        #expect(steps.map { $0["consecutive"] as? Bool } == [true, false, true])
        #expect(steps[0]["reason"] is NSNull && steps[1]["reason"] is String)

        let path = await run.run(words + ["--from", "Shop", "--to", "Shop 10"])
        #expect(try Self.object(path.output)["path"] as? [String] == ["Shop", "Shop 2", "Shop 10"])
    }

    @Test func stores() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld", "--store"]
        let model = "@Shop.xcdatamodeld/Shop 2.xcdatamodel"
        #expect(await run.run("store", "create", "--model", model, "--store", "@S.sqlite").code == 0)
        var text = await run.run(words + ["@S.sqlite"])
        #expect(text.code == 0)
        #expect(text.output.hasSuffix("\n\(run.path("S.sqlite")): written by Shop 2\n"), "\(text.output)")
        var json = try Self.object(await run.run(words + ["@S.sqlite", "--format", "json"]).output)
        var store = try #require(json["store"] as? [String: Any])
        #expect(store["version"] as? String == "Shop 2" && store["exact"] as? Bool == true)

        // An entity of the oldest version with one of the newest.
        try run.writeModel(Self.model(.attribute("note", .string), others: [Self.pet]))
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@T.sqlite").code == 0)
        text = await run.run(words + ["@T.sqlite"])
        #expect(text.code == 1)
        #expect(
            text.output.hasSuffix(
                """
                T.sqlite: written by none of these versions; the nearest is Shop 10, 1 entity differs:
                  Person  hash differs  as in Shop

                """), "\(text.output)")
        let result = await run.run(words + ["@T.sqlite", "--format", "json"])
        #expect(result.code == 1)
        json = try Self.object(result.output)
        store = try #require(json["store"] as? [String: Any])
        #expect(store["path"] as? String == run.path("T.sqlite") && store["version"] is NSNull)
        #expect(store["nearest"] as? String == "Shop 10" && store["exact"] as? Bool == false)
        let differences = try #require(store["differences"] as? [[String: Any]])
        #expect(differences.map { $0["entity"] as? String } == ["Person"])
        #expect(differences.map { $0["what"] as? String } == ["hash differs"])
        #expect(differences.map { $0["versions"] as? [String] } == [["Shop"]])

        #expect(await run.run(words + ["@nix.sqlite"]).code == 66)
    }

    /// A mapping of one entity: its names and hashes in two versions, and its policy class.
    private struct MappedEntity {
        var name: String
        var source: Data?
        var destination: Data?
        var policy: String?

        var tree: KeyedArchiveTree {
            var fields: [KeyedArchiveTree.Field] = []
            for (side, hash) in [("Source", source), ("Destination", destination)] {
                guard let hash else { continue }
                fields.append(.init("NS\(side)EntityName", .string(name)))
                fields.append(.init("NS\(side)EntityVersionHash", .data(Array(hash))))
            }
            if let policy { fields.append(.init("NSEntityMigrationPolicyClassName", .string(policy))) }
            return .object(classNames: ["NSEntityMapping", "NSObject"], fields: fields)
        }
    }

    /// Writes a compiled mapping model.
    private static func write(_ entities: [MappedEntity], to name: String, in run: CommandRun) throws {
        let mappings = KeyedArchiveTree.Field("NSEntityMappings", .array(entities.map(\.tree)))
        let model = KeyedArchiveTree.object(classNames: ["NSMappingModel", "NSObject"], fields: [mappings])
        _ = try run.folder.write(Data(KeyedArchiveWriter.write(model)), to: name)
    }

    @Test func mappings() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let hashes = try Self.shop.map { try $0.model.resolved().versionHashes }
        try Self.write(
            [
                .init(name: "Person", source: hashes[0]["Person"], destination: hashes[2]["Person"], policy: "App.P"),
                .init(name: "Pet", destination: hashes[2]["Pet"], policy: "App.Q"),
            ], to: "A.cdm", in: run)
        // Without a source entity, every other version fits.
        try Self.write([.init(name: "Pet", destination: hashes[2]["Pet"])], to: "B.cdm", in: run)
        try Self.write(
            [.init(name: "Person", source: hashes[2]["Person"], destination: hashes[1]["Person"], policy: "App.P")],
            to: "C.cdm", in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld"]
        let options = ["A.cdm", "B.cdm", "C.cdm"].flatMap { ["--mapping", "@" + $0] }
        let text = await run.run(words + options)
        #expect(text.code == 0, "\(text.messages)")
        #expect(
            text.output.hasSuffix(
                """

                A.cdm maps Shop to Shop 10 with the policy classes App.P, App.Q
                B.cdm maps Shop to Shop 10, Shop 2 to Shop 10
                C.cdm maps Shop 10 to Shop 2 with the policy class App.P

                """), "\(text.output)")

        let result = await run.run(words + options + ["--format", "json"])
        #expect(result.code == 0)
        let mappings = try #require(try Self.object(result.output)["mappings"] as? [[String: Any]])
        #expect(mappings.map { $0["file"] as? String } == ["A.cdm", "B.cdm", "C.cdm"].map(run.path))
        #expect(mappings.map { $0["policies"] as? [String] } == [["App.P", "App.Q"], [], ["App.P"]])
        #expect(
            mappings.map { $0["steps"] as? [[String: String]] } == [
                [["from": "Shop", "to": "Shop 10"]],
                [["from": "Shop", "to": "Shop 10"], ["from": "Shop 2", "to": "Shop 10"]],
                [["from": "Shop 10", "to": "Shop 2"]],
            ])
    }

    @Test func mappingsOfOtherModels() async throws {
        let run = try CommandRun()
        try Self.write(Self.shop, in: run)
        let hashes = try Self.shop.map { try $0.model.resolved().versionHashes }
        let other = Data(repeating: 7, count: 32)
        try Self.write(
            [
                .init(name: "Person", source: other, destination: hashes[2]["Person"]),
                .init(name: "Pet", source: hashes[2]["Pet"], destination: other),
                .init(name: "Shop", destination: other),
            ], to: "A.cdm", in: run)
        let words = ["model", "versions", "@Shop.xcdatamodeld", "--mapping"]
        var result = await run.run(words + ["@A.cdm"])
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.lines == [
                "granary: error: Person: no version has the version hash of this source entity [model.reference]",
                "granary: error: Pet: no version has the version hash of this destination entity [model.reference]",
                "granary: error: Shop: no version has this destination entity [model.reference]",
                "granary: error: \(run.path("A.cdm")): fits no pair of versions of \(run.path("Shop.xcdatamodeld"))",
            ], "\(result.messages)")

        // The entities are in different versions, or both in the same one.
        try Self.write(
            [
                .init(name: "Person", source: hashes[0]["Person"], destination: hashes[1]["Person"]),
                .init(name: "Pet", source: hashes[2]["Pet"]),
            ], to: "B.cdm", in: run)
        result = await run.run(words + ["@B.cdm"])
        #expect(result.code == 65)
        let ending = ": all source entities are in no version, all destination entities in Shop 2\n"
        #expect(result.messages.hasSuffix("although each of its version hashes is in a version" + ending))
        #expect(!result.messages.contains("[model.reference]"), "\(result.messages)")
        try Self.write(
            [.init(name: "Person", source: hashes[1]["Person"], destination: hashes[1]["Person"])],
            to: "C.cdm", in: run)
        result = await run.run(words + ["@C.cdm"])
        #expect(result.code == 65)
        #expect(
            result.messages.hasSuffix(": all source entities are in Shop 2, all destination entities in Shop 2\n"),
            "\(result.messages)")

        result = await run.run(words + ["@Shop.xcdatamodeld/Shop.xcdatamodel/contents"])
        #expect(result.code == 65 && result.messages.contains("[model.syntax]"), "\(result.messages)")
        #expect(await run.run(words + ["@nix.cdm"]).code == 66)
    }

    @Test func oneVersion() async throws {
        let run = try CommandRun()
        try run.writeModel()
        let result = await run.run("model", "versions", "@Model.json")
        let checksum = try CommandRun.model.resolved().checksum
        #expect(result.code == 0)
        #expect(result.output.contains("\n* Model    \(checksum)"), "\(result.output)")
        #expect(!result.output.contains("(row)"))
        #expect(await run.run("model", "versions", "@nix.xcdatamodeld").code == 66)
    }

    @Test func manyVersions() async throws {
        let run = try CommandRun()
        let versions = (1...41).map { number in
            NamedModel(name: "V\(number)", model: Self.model(.attribute("a\(number)", .string)))
        }
        try Self.write(versions, in: run)
        let result = await run.run("model", "versions", "@Shop.xcdatamodeld")
        #expect(result.code == 0)
        #expect(result.output.hasSuffix("\nthe matrix of 41 versions is in the JSON (--format json)\n"))
        #expect(result.output.contains("\n* V41  "))
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
