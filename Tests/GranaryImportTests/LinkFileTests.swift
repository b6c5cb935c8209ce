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

/// Files whose rows are links: the key of an object and of one that it is linked to.
@Suite struct LinkFileTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Team", [.attribute("name", .string), .toMany("players", "Player", inverse: "team")], unique: [["name"]]),
        EntityDescription(
            "Player",
            [
                .attribute("name", .string), .attribute("age", .integer16),
                .toOne("team", "Team", inverse: "players"), .toMany("tags", "Tag", inverse: "players"),
            ], unique: [["name"]]),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("players", "Player", inverse: "tags")], unique: [["word"]]),
    ])

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "name\nred\nblue\n", "Team")
        try bench.load(csv: "word\nnew\nold\nodd\n", "Tag")
        try bench.load(csv: "name,team,tags\nann,,new\nbob,blue,\n", "Player")
        return bench
    }

    private static func tags(_ options: inout ImportOptions) { options.linkRelationship = "tags" }

    private static func players(_ options: inout ImportOptions) { options.linkRelationship = "players" }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Links are added to those that there are`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = "name,tags\nann,old\nbob,new\nann,new\nbob,odd\n"
        let tried = try bench.load(csv: text, "Player", run: TestImport.dryRun, Self.tags)
        let run = try bench.load(csv: text, "Player", Self.tags)
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(updated: 3, unchanged: 1))
        #expect(run.changes == ["update Player/p1 2 tags", "update Player/p2 3 tags"])
        #expect(tried.counts == run.counts && tried.changes == run.changes)
        #expect(try bench.table("Player", "name", "tags") == "name,tags\nann,new;old\nbob,new;odd\n")
        #expect(try bench.table("Tag", "word", "players") == "word,players\nnew,ann;bob\nold,ann\nodd,bob\n")
        #expect(try bench.version("Player", 1) == 2)
        #expect(try bench.faults() == [])
        // The second time they are there.
        let before = (try bench.bytes(), try bench.document())
        let again = try bench.load(csv: text, "Player", Self.tags)
        #expect(again.counts == RecordCounts(unchanged: 4))
        #expect(again.report.run == nil && again.changes == [])
        #expect(try bench.bytes() == before.0)
        #expect(try bench.document() == before.1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Members of a to-one's list are added too, but taken from nobody`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,players\nred,ann\nblue,bob\n", "Team", Self.players)
        #expect(run.counts == RecordCounts(updated: 1, unchanged: 1))
        #expect(try bench.table("Player", "name", "team") == "name,team\nann,red\nbob,blue\n")
        let taken = try bench.load(csv: "name,players\nred,bob\n", "Team", Self.players)
        #expect(taken.problems == ["2:5 relationship.taken players"])
        #expect(taken.messages == ["Player/p2 \"bob\" is already taken by Team/p2 \"blue\" in the store"])
        #expect(taken.report.diagnostics.first?.help == "set Player.team in the record of the object")
        try bench.load(csv: "name\ncy\n", "Player")
        let twice = try bench.load(csv: "name,players\nred,cy\nblue,cy\n", "Team", Self.players)
        #expect(twice.problems == ["3:6 relationship.taken players"])
        #expect(twice.report.diagnostics.first?.related.map(\.line) == [2])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A link that stands twice is there once`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,tags\nbob,old\nbob,old\n", "Player", Self.tags)
        #expect(run.counts == RecordCounts(updated: 1, unchanged: 1))
        #expect(try bench.table("Player", "name", "tags") == "name,tags\nann,new\nbob,old\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A row with several links is one record`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,tags\nbob,old;new\nann,new;new\n", "Player", Self.tags)
        #expect(run.counts == RecordCounts(updated: 1, unchanged: 1))
        #expect(try bench.table("Player", "name", "tags") == "name,tags\nann,new\nbob,new;old\n")
    }

    // MARK: What is wrong

    @Test(arguments: EngineBench.Kind.allCases)
    func `Both ends have to be there`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = "name,tags\nzed,new\nbob,nwe\nbob,old\n,old\nan,new\n"
        let run = try bench.load(csv: text, "Player", run: TestImport.keepGood, Self.tags)
        #expect(
            run.report.diagnostics.map { "\($0.position?.line ?? 0) \($0.code.rawValue)" } == [
                "2 relationship.notFound", "3 relationship.notFound", "5 value.missing", "6 relationship.notFound",
            ])
        #expect(
            run.messages == [
                "there is no Player with the key \"zed\"",
                "there is no Tag with the key \"nwe\"; did you mean \"new\"?",
                "it is part of the natural key and has no value",
                "there is no Player with the key \"an\"; did you mean \"ann\"?",
            ])
        #expect(run.counts == RecordCounts(updated: 1, rejected: 4) && run.addsUp)
        #expect(try bench.table("Player", "name", "tags") == "name,tags\nann,new\nbob,old\n")
    }

    @Test func `The owner that is not there is shown where it stands`() throws {
        let run = try Self.seeded(.memory).load(csv: "tags,name\nnew,zed\n", "Player", Self.tags)
        #expect(run.report.diagnostics.map { $0.position?.column } == [5])
        #expect(run.report.diagnostics.map(\.field) == ["name"])
    }

    @Test func `Other columns are refused, and both have to be there`() throws {
        let bench = try Self.seeded(.memory)
        let more = try bench.load(csv: "name,tags,age\nann,old,5\n", "Player", Self.tags)
        #expect(more.problems == ["1:11 header.unknown -"])
        #expect(
            more.messages == ["a link file has only the columns name, tags"])
        #expect(more.report.isRefused)
        let ignored = try bench.load(csv: "name,tags,age\nann,old,5\n", "Player") {
            $0.linkRelationship = "tags"
            $0.ignoredColumns = ["age"]
        }
        #expect(ignored.counts == RecordCounts(updated: 1))
        #expect(try bench.load(csv: "name\nann\n", "Player", Self.tags).problems == ["1:1 header.missing tags"])
        #expect(try bench.load(csv: "tags\nold\n", "Player", Self.tags).problems == ["1:1 header.missing name"])
        let error = #expect(throws: GranaryError.self) {
            try bench.load(csv: "name,team\nann,red\n", "Player") { $0.linkRelationship = "team" }
        }
        #expect(error?.code == .usage)
    }

    // MARK: With the objects' own files

    @Test(
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], EngineBench.Kind.allCases)
    func `They may come before their objects`(_ order: [Int], _ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let jobs = [
            EngineBench.job(csv: "name,tags\nbob,new\nann,old\nann,new\n", "Player", name: "links.csv", Self.tags),
            EngineBench.job(csv: "name,age\nann,1\nbob,2\n", "Player", name: "players.csv"),
            EngineBench.job(csv: "word\nnew\nold\n", "Tag", name: "tags.csv"),
        ]
        let run = try bench.load(order.map { jobs[$0] })
        #expect(run.problems == [], "\(run.messages)")
        let counts = [RecordCounts(updated: 3), RecordCounts(created: 2), RecordCounts(created: 2)]
        #expect(run.jobCounts == order.map { counts[$0] })
        #expect(try bench.table("Player", "name", "age", "tags") == "name,age,tags\nann,1,new;old\nbob,2,new\n")
        #expect(try bench.faults() == [])
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0]], EngineBench.Kind.allCases)
    func `A link to or of a rejected record is rejected`(_ order: [Int], _ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let jobs = [
            EngineBench.job(
                csv: "name,tags\nbob,new\nann,old\nann,new\ncy,new\n", "Player", name: "links.csv", Self.tags),
            EngineBench.job(csv: "name,age,team\nann,1,\nbob,x,\ncy,3,none\n", "Player", name: "players.csv"),
            EngineBench.job(csv: "word\nnew\nold\nold\n", "Tag", name: "tags.csv"),
        ]
        let run = try bench.load(order.map { jobs[$0] }, run: TestImport.keepGood)
        let counts = [
            RecordCounts(updated: 2, rejected: 2), RecordCounts(created: 1, rejected: 2),
            RecordCounts(created: 2, rejected: 1),
        ]
        #expect(run.jobCounts == order.map { counts[$0] }, "\(run.messages)")
        #expect(run.addsUp)
        #expect(try bench.table("Player", "name", "tags") == "name,tags\nann,new;old\n")
        #expect(try bench.faults() == [])
    }
}
