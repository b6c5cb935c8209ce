import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Both ends of a changed link count as changed: their versions go up by one, as in a context's save.
@Suite struct OtherEndTests {
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

    /// One run: every object is new.
    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load([
            EngineBench.job(csv: "name\nred\nblue\n", "Team"), EngineBench.job(csv: "number\n1\n2\n3\n", "Desk"),
            EngineBench.job(csv: "word\nnew\nold\n", "Tag"),
            EngineBench.job(
                csv: "name,team,boss,desk,tags\nann,red,,1,new;old\nbob,blue,ann,2,\ncy,,,,\n", "Player"),
        ])
        return bench
    }

    /// The versions of all objects, in the order of their keys.
    private static func versions(_ bench: EngineBench) throws -> String {
        var entities: [String] = []
        for name in ["Team", "Player", "Desk", "Tag"] {
            let root = try #require(bench.store.schema.entity(named: name)).root
            let found = try bench.store.versions(root: root, keys: Array(1...9))
            entities.append(found.sorted { $0.key < $1.key }.map { "\($0.value)" }.joined())
        }
        return entities.joined(separator: " ")
    }

    struct Case: Sendable {
        var jobs: [(entity: String, text: String)]
        /// Of teams, players, desks and tags.
        let versions: String
        var prunes = false
        var keepsGood = false
    }

    static let cases: [Case] = [
        Case(jobs: [("Player", "name,team\nann,red\nbob,blue\n")], versions: "11 111 111 11"),
        Case(jobs: [("Player", "name,team\ndan,red\neve,red\n")], versions: "21 11111 111 11"),
        Case(jobs: [("Player", "name,team\nann,blue\n")], versions: "22 211 111 11"),
        Case(jobs: [("Player", "name,team,desk\nann,,\n")], versions: "21 211 211 11"),
        Case(jobs: [("Team", "name,players\nred,ann;cy\n")], versions: "21 112 111 11"),
        Case(jobs: [("Team", "name,players\nred,\n")], versions: "21 211 111 11"),
        Case(jobs: [("Player", "name,tags\nann,new\n")], versions: "11 211 111 12"),
        Case(jobs: [("Player", "name,desk\nann,3\n")], versions: "11 211 212 11"),
        Case(jobs: [("Player", "name,desk\nann,2\nbob,1\n")], versions: "11 221 221 11"),
        // Without an inverse there is no other end.
        Case(jobs: [("Player", "name,boss\nbob,cy\n")], versions: "11 121 111 11"),
        Case(jobs: [("Team", "name,line\nred,ann;cy\n")], versions: "21 111 111 11"),
        // However much of an object changes, and from wherever.
        Case(
            jobs: [("Team", "name,players\nred,ann;cy\n"), ("Player", "name,boss\ncy,ann\n")],
            versions: "21 112 111 11"),
        // A new object is new, though two records speak of it.
        Case(
            jobs: [("Team", "name\ngreen\n"), ("Team", "name,players\ngreen,cy\n")], versions: "111 112 111 11"),
        Case(jobs: [("Player", "name\nann\ncy\n")], versions: "12 11 121 11", prunes: true),
        // What a rejected record says of others is taken back.
        Case(
            jobs: [("Player", "name,team,boss\ndan,red,zz\nann,blue,zz\n")], versions: "11 111 111 11",
            keepsGood: true),
    ]

    /// Each case in one of the stores.
    @Test(arguments: cases.indices)
    func `Both ends of a changed link are raised once`(_ index: Int) throws {
        try check(index, index % 2 == 0 ? .memory : .sqlite)
    }

    func check(_ index: Int, _ kind: EngineBench.Kind) throws {
        let test = Self.cases[index]
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        #expect(try Self.versions(bench) == "11 111 111 11")
        let jobs = test.jobs.enumerated().map { number, job in
            EngineBench.job(csv: job.text, job.entity, name: "\(number).csv") {
                $0.onConflict = .update
                $0.prunes = test.prunes
            }
        }
        let run = try bench.load(jobs, run: test.keepsGood ? TestImport.keepGood : ImportRunOptions())
        #expect(run.problems.isEmpty != test.keepsGood, "\(run.messages)")
        #expect(try Self.versions(bench) == test.versions)
        #expect(try bench.faults() == [])
        // Said once more nothing changes, and no version goes up.
        guard !test.keepsGood else { return }
        try bench.load(jobs)
        #expect(try Self.versions(bench) == test.versions)
    }
}

@Suite struct OtherEndLongTests {
    @Test(arguments: OtherEndTests.cases.indices, EngineBench.Kind.allCases)
    func `Both ends of a changed link are raised once`(_ index: Int, _ kind: EngineBench.Kind) throws {
        try OtherEndTests().check(index, kind)
    }
}
