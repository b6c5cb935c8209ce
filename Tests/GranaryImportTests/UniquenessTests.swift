import GranaryBase
import GranaryFormats
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Uniqueness constraints and counts of relationships, checked over the import and the store together.
@Suite struct ImportUniquenessTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Account",
            [
                .attribute("email", .string), .attribute("first", .string), .attribute("last", .string),
                .attribute("size", .decimal),
            ], unique: [["email"], ["first", "last"], ["size"]]),
        EntityDescription("Savings", [.attribute("rate", .double)], superentity: "Account"),
    ])

    @Test func `A value that must be unique stands once in the files`() throws {
        let run = try TestImport.csv("email,size\na,1\nb,2\na,3\nc,1.0\n,\n,\n", "Account", Self.model)
        #expect(run.problems == ["4:1 unique.duplicate email", "5:3 unique.duplicate size"])
        #expect(run.report.diagnostics.map(\.coreDataCode) == [1551, 1551])
        #expect(run.report.diagnostics.map { $0.related.map(\.line) } == [[2], [2]])
        #expect(run.report.ledger == "read 6 = created 0 + updated 0 + unchanged 0 + skipped 4 + rejected 2")
    }

    @Test func `Several properties are unique together, and NULL equals nothing`() throws {
        let text = "first,last\na,b\na,c\n,b\n,b\na,b\nab,\nab,\n"
        #expect(try TestImport.csv(text, "Account", Self.model).problems == ["6:1 unique.duplicate first"])
    }

    @Test func `What the store has counts, subentities included`() throws {
        let store = try ExportSamples.store(Self.model)
        _ = try TestImport.csv("email\na\n", "Savings", into: store)
        let before = try ExportSamples.json(store, shape: .document)
        let run = try TestImport.csv("email\nb\na\n", "Account", into: store)
        #expect(run.problems == ["3:1 unique.exists email"])
        #expect(try ExportSamples.json(store, shape: .document) == before)
    }

    @Test(arguments: [
        (0, "relationship.tooFew", 1580), (1, "relationship.tooFew", 1580), (2, "", 0), (3, "", 0),
        (4, "relationship.tooMany", 1590),
    ])
    func `Relationships have as many objects as they must`(_ count: Int, _ code: String, _ number: Int) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Team", [.toMany("players", "Player", inverse: "team", .required, .count(2, 3))]),
            EntityDescription("Player", [.attribute("name", .string), .toOne("team", "Team", inverse: "players")]),
        ])
        let players = (0..<count).map { "{\"name\":\"\($0)\",\"team\":\"Team/p1\"}" }.joined(separator: ",")
        let text = "{\"entities\":{\"Player\":[\(players)],\"Team\":[{\"$id\":\"Team/p1\"}]}}"
        let run = try TestImport.json(text, nil, model)
        #expect(run.report.diagnostics.map(\.code.rawValue) == (code.isEmpty ? [] : [code]))
        #expect(run.report.diagnostics.compactMap(\.coreDataCode) == (code.isEmpty ? [] : [number]))
        #expect(run.report.created == (code.isEmpty ? count + 1 : 0))
    }
}
