import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Objects that only one may hold over a relationship.
@Suite struct LinkHolderTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "A",
            [
                .toOne("b", "B", inverse: "a"), .toMany("cs", "C", inverse: "a"), .toMany("ds", "D", inverse: nil),
                .toMany("es", "E", inverse: "as"), .toOne("mate", "A", inverse: "mate"),
            ]),
        EntityDescription("B", [.attribute("n", .integer16), .toOne("a", "A", inverse: "b")]),
        EntityDescription("C", [.attribute("n", .integer16), .toOne("a", "A", inverse: "cs")]),
        EntityDescription("D", [.attribute("n", .integer16)]),
        EntityDescription("E", [.attribute("n", .integer16), .toMany("as", "A", inverse: "es")]),
    ])

    /// What each document makes of the links, or its problems. B1, C1, D1 and E1 are there.
    @Test(arguments: [
        (#""A":[{"$id":"A/p1","b":"B/p1"},{"$id":"A/p2","b":"B/p1"}]"#, ["relationship.taken b"]),
        (#""A":[{"$id":"A/p1","cs":["C/p1"]},{"$id":"A/p2","cs":["C/p1"]}]"#, ["relationship.taken cs"]),
        (#""A":[{"$id":"A/p1","ds":["D/p1"]},{"$id":"A/p2","ds":["D/p1"]}]"#, ["relationship.taken ds"]),
        (#""A":[{"$id":"A/p1","es":["E/p1"]},{"$id":"A/p2","es":["E/p1"]}]"#, []),
        (#""A":[{"$id":"A/p1","cs":["C/p1","C/p1"]}]"#, ["unique.duplicate cs"]),
        (#""A":[{"$id":"A/p1","mate":"A/p2"},{"$id":"A/p2","mate":"A/p1"}]"#, []),
        (#""A":[{"$id":"A/p1","mate":"A/p1"}]"#, []),
        (
            #""A":[{"$id":"A/p1","mate":"A/p2"},{"$id":"A/p2","mate":"A/p3"},{"$id":"A/p3"}]"#,
            ["relationship.taken mate"]
        ),
        (#""A":[{"$id":"A/p1","b":"B/p2"},{"$id":"A/p2"}],"X":"A/p2""#, ["relationship.taken a"]),
        (#""A":[{"$id":"A/p1","b":"B/p2"}],"X":"A/p1""#, []),
        (#""A":[{"$id":"A/p1","cs":["C/p2"]},{"$id":"A/p2"}],"Y":"A/p2""#, ["relationship.taken cs"]),
        (#""A":[{"$id":"A/p1","cs":["C/p2"]},{"$id":"A/p2"}],"Y":"A/p1""#, []),
    ])
    func `An object has one holder, whichever end says so`(_ body: String, _ problems: [String]) throws {
        // "X" and "Y" stand for a B and a C that name their A themselves.
        var body = body
        var b = "", c = ""
        for (mark, entity) in [("X", "B"), ("Y", "C")] {
            guard let range = body.range(of: ",\"\(mark)\":") else { continue }
            let link = ",{\"$id\":\"\(entity)/p2\",\"a\":\(body[range.upperBound...])}"
            if entity == "B" { b = link } else { c = link }
            body = String(body[..<range.lowerBound])
        }
        let rest =
            "\"B\":[{\"$id\":\"B/p1\"}\(b)],\"C\":[{\"$id\":\"C/p1\"}\(c)],\"D\":[{\"$id\":\"D/p1\"}],\"E\":[{\"$id\":\"E/p1\"}]"
        let run = try TestImport.json("{\"entities\":{\(body),\(rest)}}", nil, Self.model)
        #expect(
            run.report.diagnostics.map { "\($0.code.rawValue) \($0.property ?? "-")" } == problems, "\(run.messages)")
        let isRefused = problems.contains { $0.hasPrefix("relationship") }
        #expect(run.report.isRefused == isRefused)
        #expect(run.report.rejected == (isRefused ? 1 : 0))
    }

    @Test(arguments: ["b", "cs", "ds"])
    func `What the store's objects hold stays theirs`(_ relationship: String) throws {
        let (store, folder) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(folder) {} }
        let destination = ["b": "B", "cs": "C", "ds": "D"][relationship] ?? ""
        let first =
            "{\"entities\":{\"\(destination)\":[{\"$id\":\"\(destination)/p1\",\"n\":1}],"
            + "\"A\":[{\"\(relationship)\":\(relationship == "b" ? "\"B/p1\"" : "[\"\(destination)/p1\"]")}]}}"
        _ = try TestImport.of([TestImport.reader(json: first)], nil, store)
        var options = ImportOptions()
        options.lookups = [relationship: .attribute("n")]
        let second = try TestImport.csv("\(relationship)\n1\n", "A", into: store) { $0 = options }
        #expect(second.problems == ["2:1 relationship.taken \(relationship)"])
        #expect(second.messages == ["\(destination)/p1 is already taken by A/p1 in the store"])
        // New objects cannot take anything from others.
        #expect(second.report.diagnostics.first?.help == nil)
        #expect(try store.count(entity: store.schema.entity(named: "A")?.index ?? -1) == 1)
    }

    @Test func `An identifier has to be of the destination's entity`() throws {
        let run = try TestImport.json(
            #"{"entities":{"A":[{"$id":"A/p1","b":"A/p1","cs":["D/p1"]}],"D":[{"$id":"D/p1"}]}}"#, nil, Self.model)
        #expect(run.messages == ["\"A/p1\" is an object of A, not of B", "\"D/p1\" is an object of D, not of C"])
        #expect(run.report.diagnostics.map(\.code) == [.relationshipNotFound, .relationshipNotFound])
    }

    @Test func `The far end of a one-to-one knows the owner's own entity`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Node", [.toOne("pass", "Pass", inverse: "holder")]),
            EntityDescription("SubNode", [.attribute("n", .integer16)], superentity: "Node"),
            EntityDescription("Pass", [.toOne("holder", "Node", inverse: "pass")]),
        ])
        let (store, folder) = try TestImport.sqlite(model)
        defer { withExtendedLifetime(folder) {} }
        let text = #"{"entities":{"SubNode":[{"pass":"Pass/p1"}],"Pass":[{"$id":"Pass/p1"}]}}"#
        let run = try TestImport.of([TestImport.reader(json: text)], nil, store)
        #expect(try run.csv("Pass", columns: ["holder"]) == "holder\nSubNode/p1\n")
    }

    @Test(arguments: [false, true])
    func `A constraint with a to-one is checked when the to-one is known`(_ isSQLite: Bool) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "A", [.attribute("n", .integer16), .toOne("b", "B", inverse: nil)], unique: [["n", "b"]]),
            EntityDescription("B", [.attribute("name", .string)], unique: [["name"]]),
        ])
        let text = #"{"entities":{"A":[{"n":1,"b":"x"},{"n":2,"b":"x"},{"n":1,"b":"x"}],"B":[{"name":"x"}]}}"#
        let (file, folder) = try TestImport.sqlite(model)
        defer { withExtendedLifetime(folder) {} }
        let store: any StoreBackend = isSQLite ? file : try ExportSamples.store(model)
        let run = try TestImport.of([TestImport.reader(json: text)], nil, store)
        #expect(run.problems == ["1:62 unique.duplicate b"])
        #expect(run.report.ledger == "read 4 = created 0 + updated 0 + unchanged 0 + skipped 3 + rejected 1")
    }

    @Test func `Members and unknown names of a long record are read`() throws {
        try Self.checkLongRecord(members: 2_000, unknown: 1_000)
    }

    static func checkLongRecord(members count: Int, unknown unknownCount: Int) throws {
        let members = (1...count).map { "\"C/p\($0)\"" }.joined(separator: ",")
        let rows = (1...count).map { "{\"$id\":\"C/p\($0)\"}" }.joined(separator: ",")
        let run = try TestImport.json(
            "{\"entities\":{\"A\":[{\"cs\":[\(members)]}],\"C\":[\(rows)]}}", nil, Self.model)
        #expect(run.report.created == count + 1)
        let unknown = (1...unknownCount).map { "\"x\($0)\":1" }.joined(separator: ",")
        let wrong = try TestImport.json("[{\(unknown)}]", "A", Self.model)
        #expect(wrong.report.diagnosticCount == unknownCount)
    }

    @Test func `A row that breaks two counts is one row`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "A",
                [
                    .toMany("x", "B", inverse: nil, .required, .count(1, 0)),
                    .toMany("y", "B", inverse: nil, .required, .count(1, 0)),
                ]),
            EntityDescription("B", [.attribute("n", .integer16)]),
        ])
        let good = "{\"x\":[\"B/p1\"],\"y\":[\"B/p1\"]}"
        let run = try TestImport.json("{\"entities\":{\"A\":[\(good),{}],\"B\":[{\"$id\":\"B/p1\"}]}}", nil, model)
        #expect(run.report.diagnostics.map(\.coreDataCode) == [1580, 1580])
        #expect(run.report.ledger == "read 3 = created 0 + updated 0 + unchanged 0 + skipped 2 + rejected 1")
    }
}

@Suite struct LinkHolderLongTests {
    /// Minutes, if each member's place were counted from the record's start.
    @Test func `Places in a long record cost one pass`() throws {
        try LinkHolderTests.checkLongRecord(members: 30_000, unknown: 20_000)
    }
}
