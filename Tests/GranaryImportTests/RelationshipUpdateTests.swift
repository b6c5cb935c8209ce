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

/// Rows that change the links of objects that the store has already.
@Suite struct RelationshipUpdateTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Team",
            [
                .attribute("name", .string), .toMany("players", "Player", inverse: "team"),
                .toMany("line", "Player", inverse: nil, .ordered),
            ], unique: [["name"]]),
        EntityDescription(
            "Player",
            [
                .attribute("name", .string), .toOne("team", "Team", inverse: "players"),
                .toOne("boss", "Player", inverse: nil), .toOne("desk", "Desk", inverse: "player"),
                .toMany("tags", "Tag", inverse: "players"),
            ], unique: [["name"]]),
        EntityDescription(
            "Desk", [.attribute("number", .integer16), .toOne("player", "Player", inverse: "desk")],
            unique: [["number"]]),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("players", "Player", inverse: "tags")], unique: [["word"]]),
    ])

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "name\nred\nblue\n", "Team")
        try bench.load(csv: "number\n1\n2\n3\n", "Desk")
        try bench.load(csv: "word\nnew\nold\n", "Tag")
        try bench.load(
            csv: "name,team,boss,desk,tags\nann,red,,1,new;old\nbob,blue,ann,2,\ncy,,,,\n", "Player")
        try bench.load(csv: "name,line\nred,ann;bob\n", "Team", EngineBench.update)
        return bench
    }

    struct Case: Sendable {
        let entity: String
        let text: String
        let counts: RecordCounts
        let changes: [String]
        /// A table of the store afterwards: its entity and columns, and its rows.
        let table: (entity: String, key: String, property: String)
        let rows: String
    }

    static let cases = [
        Case(
            entity: "Player", text: "name,team\nann,blue\nbob,blue\ncy,\n",
            counts: RecordCounts(updated: 1, unchanged: 2),
            changes: ["update Player/p1 2 team"], table: ("Team", "name", "players"), rows: "red,\nblue,ann;bob\n"),
        Case(
            entity: "Player", text: "name,team\nann,\n", counts: RecordCounts(updated: 1),
            changes: ["update Player/p1 2 team"],
            table: ("Team", "name", "players"), rows: "red,\nblue,bob\n"),
        Case(
            entity: "Player", text: "name,boss\nann,cy\nbob,ann\ncy,cy\n",
            counts: RecordCounts(updated: 2, unchanged: 1),
            changes: ["update Player/p1 2 boss", "update Player/p3 4 boss"], table: ("Player", "name", "boss"),
            rows: "ann,cy\nbob,ann\ncy,cy\n"),
        Case(
            entity: "Player", text: "name,boss\nbob,\nann,\n", counts: RecordCounts(updated: 1, unchanged: 1),
            changes: ["update Player/p2 2 boss"], table: ("Player", "name", "boss"), rows: "ann,\nbob,\ncy,\n"),
        Case(
            entity: "Player", text: "name,boss\nbob,dan\ndan,bob\n", counts: RecordCounts(created: 1, updated: 1),
            changes: ["update Player/p2 2 boss"], table: ("Player", "name", "boss"),
            rows: "ann,\nbob,dan\ncy,\ndan,bob\n"),
        Case(
            entity: "Team", text: "name,players\nred,ann;cy\nblue,bob\n",
            counts: RecordCounts(updated: 1, unchanged: 1),
            changes: ["update Team/p1 2 players"], table: ("Player", "name", "team"),
            rows: "ann,red\nbob,blue\ncy,red\n"),
        Case(
            entity: "Team", text: "name,players\nred,\nblue,bob\n", counts: RecordCounts(updated: 1, unchanged: 1),
            changes: ["update Team/p1 2 players"], table: ("Player", "name", "team"), rows: "ann,\nbob,blue\ncy,\n"),
        Case(
            entity: "Team", text: "name,players\nred,\nblue,bob;ann\n", counts: RecordCounts(updated: 2),
            changes: ["update Team/p1 2 players", "update Team/p2 3 players"], table: ("Player", "name", "team"),
            rows: "ann,blue\nbob,blue\ncy,\n"),
        Case(
            entity: "Team", text: "name,line\nred,bob;ann\n", counts: RecordCounts(updated: 1),
            changes: ["update Team/p1 2 line"], table: ("Team", "name", "line"), rows: "red,bob;ann\nblue,\n"),
        Case(
            entity: "Team", text: "name,line\nred,cy;ann\nblue,bob\n", counts: RecordCounts(updated: 2),
            changes: ["update Team/p1 2 line", "update Team/p2 3 line"], table: ("Team", "name", "line"),
            rows: "red,cy;ann\nblue,bob\n"),
        Case(
            entity: "Team", text: "name,line\nred,ann;bob\nblue,\n", counts: RecordCounts(unchanged: 2), changes: [],
            table: ("Team", "name", "line"), rows: "red,ann;bob\nblue,\n"),
        Case(
            entity: "Player", text: "name,tags\nann,new\nbob,\n", counts: RecordCounts(updated: 1, unchanged: 1),
            changes: ["update Player/p1 2 tags"], table: ("Tag", "word", "players"), rows: "new,ann\nold,\n"),
        Case(
            entity: "Player", text: "name,tags\nann,old;new\n", counts: RecordCounts(unchanged: 1), changes: [],
            table: ("Tag", "word", "players"), rows: "new,ann\nold,ann\n"),
        // One-to-ones: moved, exchanged, moved on in a chain and in a circle.
        Case(
            entity: "Player", text: "name,desk\nann,3\n", counts: RecordCounts(updated: 1),
            changes: ["update Player/p1 2 desk"],
            table: ("Desk", "number", "player"), rows: "1,\n2,bob\n3,ann\n"),
        Case(
            entity: "Player", text: "name,desk\nann,2\nbob,1\n", counts: RecordCounts(updated: 2),
            changes: ["update Player/p1 2 desk", "update Player/p2 3 desk"], table: ("Desk", "number", "player"),
            rows: "1,bob\n2,ann\n3,\n"),
        Case(
            entity: "Player", text: "name,desk\nann,2\nbob,3\n", counts: RecordCounts(updated: 2),
            changes: ["update Player/p1 2 desk", "update Player/p2 3 desk"], table: ("Desk", "number", "player"),
            rows: "1,\n2,ann\n3,bob\n"),
        Case(
            entity: "Player", text: "name,desk\nbob,3\nann,2\n", counts: RecordCounts(updated: 2),
            changes: ["update Player/p2 2 desk", "update Player/p1 3 desk"], table: ("Desk", "number", "player"),
            rows: "1,\n2,ann\n3,bob\n"),
        Case(
            entity: "Player", text: "name,desk\nann,\nbob,1\n", counts: RecordCounts(updated: 2),
            changes: ["update Player/p1 2 desk", "update Player/p2 3 desk"], table: ("Desk", "number", "player"),
            rows: "1,bob\n2,\n3,\n"),
        Case(
            entity: "Player", text: "name,desk\ndan,2\nbob,\n", counts: RecordCounts(created: 1, updated: 1),
            changes: ["update Player/p2 3 desk"], table: ("Player", "name", "desk"), rows: "ann,1\nbob,\ncy,\ndan,2\n"),
        Case(
            entity: "Desk", text: "number,player\n3,ann\n1,\n", counts: RecordCounts(updated: 2),
            changes: ["update Desk/p1 3 player", "update Desk/p3 2 player"], table: ("Player", "name", "desk"),
            rows: "ann,3\nbob,2\ncy,\n"),
        Case(
            entity: "Desk", text: "number,player\n1,ann\n2,bob\n3,\n", counts: RecordCounts(unchanged: 3), changes: [],
            table: ("Player", "name", "desk"), rows: "ann,1\nbob,2\ncy,\n"),
    ]

    /// Every third case in one of the stores.
    @Test(arguments: stride(from: 0, to: cases.count, by: 3).map { $0 })
    func `What rows say of links is what is there afterwards`(_ index: Int) throws {
        try check(index, index % 2 == 0 ? .memory : .sqlite)
    }

    func check(_ index: Int, _ kind: EngineBench.Kind) throws {
        let test = Self.cases[index]
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let tried = try bench.load(csv: test.text, test.entity, run: TestImport.dryRun, EngineBench.update)
        let run = try bench.load(csv: test.text, test.entity, EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == test.counts)
        #expect(run.changes.sorted() == test.changes.sorted())
        #expect(tried.counts == run.counts && tried.changes == run.changes)
        let (entity, key, property) = test.table
        #expect(try bench.table(entity, key, property) == "\(key),\(property)\n" + test.rows)
        #expect(try bench.faults() == [])
        // Said once more it is as it is.
        let before = (try bench.bytes(), try bench.document())
        let again = try bench.load(csv: test.text, test.entity, EngineBench.update)
        #expect(again.report.unchanged == again.report.read && again.report.run == nil, "\(again.changes)")
        #expect(try bench.bytes() == before.0)
        #expect(try bench.document() == before.1)
    }

    /// A list that comes before the one that it takes a member from.
    @Test(arguments: EngineBench.Kind.allCases)
    func `The order of rows does not matter to lists`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,players\nblue,bob;ann\nred,\n", "Team", EngineBench.update)
        #expect(try bench.table("Player", "name", "team") == "name,team\nann,blue\nbob,blue\ncy,\n")
        #expect(run.counts == RecordCounts(updated: 2))
        #expect(run.changes == ["update Team/p2 2 players", "update Team/p1 3 players"])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `However much of an object changes, its version counts up once`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        #expect(try bench.version("Player", 1) == 1)
        let text = "name,team,boss,desk,tags\nann,blue,cy,3,new\nbob,blue,ann,2,\n"
        let run = try bench.load(csv: text, "Player", EngineBench.update)
        #expect(run.counts == RecordCounts(updated: 1, unchanged: 1))
        #expect(run.changes == ["update Player/p1 2 boss,desk,tags,team"])
        #expect(try bench.version("Player", 1) == 2)
        #expect(try bench.version("Player", 2) == 1)
        try bench.load(csv: text, "Player", EngineBench.update)
        #expect(try bench.version("Player", 1) == 2)
        #expect(try bench.faults() == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A replaced object loses the to-ones that its row has no column for`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,boss\nann,cy\n", "Player") { $0.onConflict = .replace }
        #expect(run.counts == RecordCounts(updated: 1) && run.report.replaced == 1)
        #expect(run.changes == ["replace Player/p1 2 boss,desk,team"])
        #expect(try bench.table("Desk", "number", "player") == "number,player\n1,\n2,bob\n3,\n")
        #expect(try bench.table("Player", "name", "boss", "team") == "name,boss,team\nann,cy,\nbob,ann,blue\ncy,,\n")
        #expect(try bench.faults() == [])
    }

    // MARK: Taken

    struct Taken: Sendable {
        let entity: String
        let text: String
        let problem: String
        var object = "the object"
        let who: String
        var related: [Int] = []
        /// The other end of the relationship; nil if the message needs no help.
        var end: String?
    }

    @Test(
        arguments: [
            Taken(
                entity: "Player", text: "name,desk\nann,2\n", problem: "2:5 relationship.taken desk",
                object: "Desk/p2 2", who: "Player/p2 \"bob\" in the store",
                end: "Desk.player"),
            Taken(
                entity: "Player", text: "name,desk\ndan,3\neve,3\n", problem: "3:5 relationship.taken desk",
                who: "in.csv:2", related: [2]),
            Taken(
                entity: "Player", text: "name,desk\nann,3\ncy,3\n", problem: "3:4 relationship.taken desk",
                who: "in.csv:2", related: [2]),
            Taken(
                entity: "Desk", text: "number,player\n3,ann\n", problem: "2:3 relationship.taken player",
                object: "Player/p1 \"ann\"", who: "Desk/p1 1 in the store", end: "Player.desk"),
            Taken(
                entity: "Team", text: "name,players\nred,ann;bob\n", problem: "2:5 relationship.taken players",
                object: "Player/p2 \"bob\"", who: "Team/p2 \"blue\" in the store",
                end: "Player.team"),
            Taken(
                entity: "Team", text: "name,players\ngreen,cy\nwhite,cy\n", problem: "3:7 relationship.taken players",
                who: "in.csv:2", related: [2]),
            Taken(
                entity: "Team", text: "name,line\nred,ann\nblue,ann\n", problem: "3:6 relationship.taken line",
                who: "in.csv:2", related: [2]),
        ], EngineBench.Kind.allCases)
    func `Nobody is robbed of an object in silence`(_ test: Taken, _ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let before = try bench.document()
        let run = try bench.load(csv: test.text, test.entity, EngineBench.update)
        #expect(run.problems == [test.problem])
        #expect(run.messages == ["\(test.object) is already taken by \(test.who)"])
        let help = run.report.diagnostics.first?.help
        #expect(help.map { $0.hasSuffix(" in the record of the object") } ?? (test.end == nil), "\(help ?? "")")
        if let end = test.end { #expect(help?.contains(", or set \(end) in") == true) }
        #expect(run.report.diagnostics.first?.related.map(\.line) == test.related)
        #expect(run.addsUp && run.report.rejected == 1)
        #expect(try bench.document() == before)
    }

    @Test(arguments: ["blue", "red"], EngineBench.Kind.allCases)
    func `A list and its members' own fields have to agree`(_ own: String, _ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = """
            {"entities":{"Team":[{"name":"red","players":["ann"]}],
            "Player":[{"name":"ann","team":"\(own)"}]}}
            """
        let run = try bench.load(json: text, nil, EngineBench.update)
        guard own == "blue" else {
            #expect(run.problems == [])
            #expect(run.counts == RecordCounts(unchanged: 2))
            return
        }
        #expect(run.lines == ["1 relationship.taken players"])
        #expect(run.messages == ["the object is already taken by in.json:2"])
        #expect(run.report.diagnostics.first?.related.map(\.line) == [2])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `They have to agree in new objects too`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            {"entities":{"Team":[{"name":"red","players":["ann"]},
            {"name":"blue"}],
            "Player":[{"name":"ann","team":"blue"}]}}
            """
        let run = try bench.load(json: text, nil)
        #expect(run.lines == ["1 relationship.taken players"])
        #expect(run.report.isRefused)
    }

    // MARK: What has to be there

    /// Core Data refuses such a save: who is let go has nobody any more.
    @Test(
        arguments: [("Owner", "name,pets\nx,a\n"), ("Car", "name,plate\nc,\n")], EngineBench.Kind.allCases)
    func `Who is let go may have to have somebody`(_ test: (String, String), _ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Owner", [.attribute("name", .string), .toMany("pets", "Pet", inverse: "owner")], unique: [["name"]]),
            EntityDescription(
                "Pet", [.attribute("name", .string), .toOne("owner", "Owner", inverse: "pets", .required)],
                unique: [["name"]]),
            EntityDescription(
                "Car", [.attribute("name", .string), .toOne("plate", "Plate", inverse: "car")], unique: [["name"]]),
            EntityDescription(
                "Plate", [.attribute("number", .integer16), .toOne("car", "Car", inverse: "plate", .required)],
                unique: [["number"]]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name\nx\n", "Owner")
        try bench.load(csv: "name,owner\na,x\nb,x\n", "Pet")
        try bench.load(csv: "name\nc\nd\n", "Car")
        try bench.load(csv: "number,car\n1,c\n2,d\n", "Plate")
        let before = try bench.document()
        let run = try bench.load(csv: test.1, test.0, EngineBench.update)
        #expect(run.report.isRefused && run.report.diagnosticCount > 0)
        #expect(try bench.document() == before)
    }
}

@Suite struct RelationshipUpdateLongTests {
    @Test(arguments: RelationshipUpdateTests.cases.indices, EngineBench.Kind.allCases)
    func `What rows say of links is what is there afterwards`(_ index: Int, _ kind: EngineBench.Kind) throws {
        try RelationshipUpdateTests().check(index, kind)
    }
}
