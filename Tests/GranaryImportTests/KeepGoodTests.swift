import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Good rows go in, bad ones and those that need them stay out.
@Suite struct KeepGoodTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Node",
            [
                .attribute("code", .string), .attribute("size", .integer16, .minimum(0)),
                .toOne("next", "Node", inverse: nil), .toMany("friends", "Node", inverse: "friendOf"),
                .toMany("friendOf", "Node", inverse: "friends"), .toOne("mate", "Node", inverse: "mate"),
            ], unique: [["code"]])
    ])

    private static func bench(_ kind: EngineBench.Kind) throws -> EngineBench { try EngineBench(model, kind) }

    private static func limited(_ maximum: Int) -> ImportRunOptions {
        var run = TestImport.keepGood
        run.maximumRejects = maximum
        return run
    }

    struct Case: Sendable {
        let text: String
        let problems: [String]
        /// The codes of the objects that are there afterwards.
        let good: String
    }

    static let cases = [
        Case(text: "code,size\na,1\nb,x\nc,3\n", problems: ["3 value.syntax size"], good: "a c"),
        Case(
            text: "code,size\na,1\nb,-1\nb,2\n", problems: ["3 value.tooSmall size", "4 unique.duplicate code"],
            good: "a"),
        Case(text: "code,size\na,1\nb\nc,3,4\nd,5\n", problems: ["3 csv.ragged -", "4 csv.ragged -"], good: "a d"),
        Case(text: "code,size\na,1\nb\"x,2\nc,3\n", problems: ["3 csv.syntax -"], good: "a c"),
        Case(
            text: "code,size\na,1\na,1\nb,2\na,3\n", problems: ["3 unique.duplicate code", "5 unique.duplicate code"],
            good: "a b"),
        Case(text: "code,next\na,zz\nb,\n", problems: ["2 relationship.notFound next"], good: "b"),
        Case(text: "code,friends\na,b;zz;b\nb,\n", problems: ["2 relationship.notFound friends"], good: "b"),
        Case(text: "code,mate\na,c\nb,c\nc,\n", problems: ["3 relationship.taken mate"], good: "a c"),
        // Chains, with references forwards and backwards, by a to-one and by lists.
        Case(
            text: "code,next\na,b\nb,c\nc,zz\nd,\n",
            problems: ["2 relationship.notFound next", "3 relationship.notFound next", "4 relationship.notFound next"],
            good: "d"),
        Case(
            text: "code,next\nd,\nc,zz\nb,c\na,b\n",
            problems: ["3 relationship.notFound next", "4 relationship.notFound next", "5 relationship.notFound next"],
            good: "d"),
        Case(
            text: "code,size,next\na,1,b\nb,x,\nc,1,d\nd,1,\n",
            problems: ["2 relationship.notFound next", "3 value.syntax size"], good: "c d"),
        Case(
            text: "code,size,next\nb,x,\na,1,b\nd,1,\nc,1,d\n",
            problems: ["2 value.syntax size", "3 relationship.notFound next"], good: "c d"),
        Case(
            text: "code,friends\na,b;d\nb,c\nc,zz\nd,\n",
            problems: [
                "2 relationship.notFound friends", "3 relationship.notFound friends", "4 relationship.notFound friends",
            ], good: "d"),
        // Circles, one that something bad is in and one that nothing is.
        Case(
            text: "code,size,next\na,1,b\nb,1,c\nc,x,a\nd,1,e\ne,1,d\nf,1,f\n",
            problems: ["2 relationship.notFound next", "3 relationship.notFound next", "4 value.syntax size"],
            good: "d e f"),
        Case(
            text: "code,next,friends\na,b,\nb,c,\nc,a,zz\nd,d,\n",
            problems: [
                "2 relationship.notFound next", "3 relationship.notFound next", "4 relationship.notFound friends",
            ],
            good: "d"),
        Case(text: "code,size,next\na,x,a\nb,1,b\n", problems: ["2 value.syntax size"], good: "b"),
        Case(text: "code,size\na,x\nb,y\n", problems: ["2 value.syntax size", "3 value.syntax size"], good: ""),
    ]

    /// Each case in one of the stores.
    @Test(arguments: cases.indices)
    func `Bad rows stay out, and who refers to them`(_ index: Int) throws {
        try check(index, index % 2 == 0 ? .memory : .sqlite)
    }

    func check(_ index: Int, _ kind: EngineBench.Kind) throws {
        let test = Self.cases[index]
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let tried = try TestImport.csv(test.text, "Node", into: bench.store, run: Self.dryGood)
        let run = try bench.load(csv: test.text, "Node", run: TestImport.keepGood)
        // In whatever order they are found, and whatever else is said of the same lines.
        #expect(Set(run.lines).isSuperset(of: test.problems), "\(run.lines)")
        #expect(Set(run.lines.map { $0.prefix(2) }) == Set(test.problems.map { $0.prefix(2) }), "\(run.lines)")
        let rows = test.text.split(separator: "\n").count - 1
        #expect(run.report.read == rows && run.addsUp && !run.report.isRefused)
        #expect(run.report.rejected == test.problems.count)
        let codes = try bench.table("Node", "code").split(separator: "\n").dropFirst()
        #expect(codes.sorted().joined(separator: " ") == test.good)
        #expect(run.report.created == codes.count)
        #expect(tried.counts == run.counts && tried.lines == run.lines)
        #expect(try bench.faults() == [])
        // What is good is as it would be without the bad rows.
        let bad = Set(run.report.diagnostics.compactMap { $0.position?.line })
        let lines = test.text.split(separator: "\n").enumerated().filter { !bad.contains($0.offset + 1) }
        let alone = try Self.bench(.memory)
        let text = lines.map { "\($0.element)\n" }.joined()
        #expect(try alone.load(csv: text, "Node").problems == [])
        for property in ["size", "next", "friends", "mate"] {
            let expected = try alone.table("Node", "code", property)
            #expect(try bench.table("Node", "code", property) == expected)
        }
    }

    private static let dryGood = {
        var run = TestImport.keepGood
        run.isDryRun = true
        return run
    }()

    @Test(arguments: EngineBench.Kind.allCases)
    func `A reference to a rejected record names its line`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "code,size,next\na,1,b\nb,x,\n", "Node", run: TestImport.keepGood)
        #expect(run.problems == ["2:5 relationship.notFound next", "3:3 value.syntax size"])
        #expect(run.messages.first == "refers to the record at in.csv:3, which is rejected")
        #expect(run.report.diagnostics.first?.related.map(\.line) == [3])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Records that refer to several objects, or to the wrong kind, are rejected`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "code,size,next\na,1,\nb,1,\nc,2,1\nd,3,2\n", "Node", run: TestImport.keepGood) {
            $0.lookups = ["next": .attribute("size")]
        }
        #expect(run.problems == ["4:5 relationship.ambiguous next", "5:5 relationship.notFound next"])
        #expect(try bench.table("Node", "code") == "code\na\nb\n")
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.attribute("n", .integer16), .toOne("b", "B", inverse: nil)]),
            EntityDescription("B", [.attribute("n", .integer16)]),
        ])
        let other = try EngineBench(model, kind)
        defer { other.keep() }
        let text = """
            {"entities":{"A":[{"$id":"A/p1","n":1,"b":"A/p2"},
            {"$id":"A/p2","n":2,"b":"B/p1"}],"B":[{"$id":"B/p1","n":3}]}}
            """
        let wrong = try other.load(json: text, nil, run: TestImport.keepGood)
        #expect(wrong.lines == ["1 relationship.notFound b"])
        #expect(wrong.messages == ["\"A/p2\" is an object of A, not of B"])
        #expect(wrong.counts == RecordCounts(created: 2, rejected: 1))
        #expect(try other.table("A", "n", "b") == "n,b\n2,B/p1\n")
    }

    // MARK: Counts of relationships

    @Test(arguments: EngineBench.Kind.allCases)
    func `Who has too few or too many objects goes, and who needs it`(_ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Team",
                [.attribute("name", .string), .toMany("players", "Player", inverse: "team", .required, .count(2, 3))],
                unique: [["name"]]),
            EntityDescription(
                "Player", [.attribute("age", .integer16), .toOne("team", "Team", inverse: "players", .required)]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        let players = "age,team\n1,good\n2,good\n3,few\n4,many\n5,many\n6,many\n7,many\nx,lost\n9,lost\n"
        let run = try bench.load(
            [
                EngineBench.job(csv: "name\ngood\nfew\nmany\nnone\nlost\n", "Team", name: "1.csv"),
                EngineBench.job(csv: players, "Player", name: "2.csv"),
            ], run: TestImport.keepGood)
        #expect(
            run.jobCounts == [RecordCounts(created: 1, rejected: 4), RecordCounts(created: 2, rejected: 7)],
            "\(run.messages)")
        #expect(run.addsUp)
        let counted = run.report.diagnostics.filter { $0.property == "players" }
        #expect(
            counted.map { "\($0.position?.line ?? 0) \($0.code.rawValue) \($0.coreDataCode ?? 0)" } == [
                "3 relationship.tooFew 1580", "4 relationship.tooMany 1590", "5 relationship.tooFew 1580",
                "6 relationship.tooFew 1580",
            ])
        #expect(try bench.table("Team", "name") == "name\ngood\n")
        #expect(try bench.table("Player", "age", "team") == "age,team\n1,good\n2,good\n")
        #expect(try bench.faults() == [])
        // An object that was there before cannot be rejected: the last record that breaks its bound is.
        let more = try bench.load(csv: "age,team\n3,good\n4,good\n", "Player", run: TestImport.keepGood)
        #expect(
            more.lines == ["3 relationship.tooMany players"] && more.counts == RecordCounts(created: 1, rejected: 1))
        #expect(try bench.table("Player", "age", "team") == "age,team\n1,good\n2,good\n3,good\n")
    }

    // MARK: The ledger

    @Test(arguments: [0, 1, 2, 3, 4], EngineBench.Kind.allCases)
    func `More rejects than are allowed refuse all`(_ maximum: Int, _ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let text = "code,size,next\na,1,b\nb,2,c\nc,x,\nd,4,\n"
        let run = try bench.load(csv: text, "Node", run: Self.limited(maximum))
        #expect(run.report.isRefused == (maximum < 3))
        #expect(run.addsUp && run.report.read == 4)
        let limit = run.report.diagnostics.filter { $0.code == .limitExceeded }
        #expect(limit.count == (maximum < 3 ? 1 : 0))
        #expect(try bench.count("Node") == (maximum < 3 ? 0 : 1))
        if maximum == 2 {
            #expect(limit.map(\.message) == ["3 records are rejected; the limit is 2"])
            #expect(run.counts == RecordCounts(skipped: 1, rejected: 3))
        }
    }

    /// A record is rejected while it is read, and a conflict of changed keys then exceeds the limit.
    @Test(arguments: [1, 2], EngineBench.Kind.allCases)
    func `Each counted record has a line, if the limit is exceeded by changed keys`(
        _ maximum: Int, _ kind: EngineBench.Kind
    ) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Shelf", [.attribute("name", .string)], unique: [["name"]]),
            EntityDescription(
                "Thing",
                [.attribute("code", .string), .attribute("label", .string), .toOne("shelf", "Shelf", inverse: nil)],
                unique: [["code"], ["label"]]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,label\na,one\nb,two\n", "Thing")
        let run = try bench.load(csv: "code,label,shelf\na,two,\nb,two,none\n", "Thing", run: Self.limited(maximum)) {
            $0.onConflict = .update
            $0.key = ["code"]
            $0.lookups["shelf"] = .attribute("name")
        }
        #expect(run.report.rejected == 2 && run.report.isRefused == (maximum < 2))
        #expect(
            run.report.diagnostics.map { "\($0.position?.line ?? 0) \($0.code.rawValue)" }.sorted()
                == (maximum < 2 ? ["0 limit.exceeded"] : []) + ["2 unique.exists", "3 relationship.notFound"],
            "\(run.problems)")
        let whole = try bench.load(csv: "code,label,shelf\nc,one,\nb,three,none\na,three,\n", "Thing") {
            $0.onConflict = .update
            $0.key = ["code"]
            $0.lookups["shelf"] = .attribute("name")
        }
        // An import that stores all or nothing reports both kinds of problems, too.
        let lines = whole.report.diagnostics.map { "\($0.position?.line ?? 0) \($0.code.rawValue)" }
        #expect(lines.contains("3 relationship.notFound"), "\(whole.problems)")
    }

    @Test func `Limits and files of rejects are for keep-good only`() throws {
        var options = ImportRunOptions()
        options.maximumRejects = 1
        let error = #expect(throws: GranaryError.self) {
            try TestImport.csv("code\na\n", "Node", Self.model, run: options)
        }
        #expect(error?.code == .usage)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Cut lists of problems have whole counts`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        var text = "code,size,next\n"
        for row in 0..<90 { text += "n\(row),\(row % 3 == 0 ? "x" : "1"),\(row % 3 == 1 ? "zz" : "")\n" }
        var options = TestImport.keepGood
        options.diagnosticLimit = 5
        let run = try bench.load(csv: text, "Node", run: options)
        #expect(run.report.diagnostics.count == 5 && run.report.diagnosticCount == 60)
        #expect(
            run.report.rules.map { "\($0.code.rawValue) \($0.property ?? "-") \($0.count)" } == [
                "value.syntax size 30", "relationship.notFound next 30",
            ])
        #expect(run.counts == RecordCounts(created: 30, rejected: 60))
    }

    @Test(arguments: [false, true], EngineBench.Kind.allCases)
    func `Jobs of one run are one fixpoint`(_ isReversed: Bool, _ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Ward", [.attribute("name", .string), .toOne("head", "Nurse", inverse: nil)], unique: [["name"]]),
            EntityDescription(
                "Nurse", [.attribute("name", .string), .toOne("ward", "Ward", inverse: nil)], unique: [["name"]]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        let jobs = [
            EngineBench.job(csv: "name,head\nred,ann\nblue,bob\ngreen,\n", "Ward", name: "wards.csv"),
            EngineBench.job(csv: "name,ward\nann,blue\nbob,none\ncy,green\n", "Nurse", name: "nurses.csv"),
        ]
        let run = try bench.load(isReversed ? jobs.reversed() : jobs, run: TestImport.keepGood)
        let counts = [RecordCounts(created: 1, rejected: 2), RecordCounts(created: 1, rejected: 2)]
        #expect(run.jobCounts == counts && run.counts == RecordCounts(created: 2, rejected: 4))
        let places = run.report.diagnostics.map { "\($0.position?.file ?? "") \($0.position?.line ?? 0)" }
        #expect(places.sorted() == ["nurses.csv 2", "nurses.csv 3", "wards.csv 2", "wards.csv 3"])
        #expect(try bench.table("Ward", "name", "head") == "name,head\ngreen,\n")
        #expect(try bench.table("Nurse", "name", "ward") == "name,ward\ncy,green\n")
        // What is mended completes the import.
        let mended = try bench.load([
            EngineBench.job(csv: "name,head\nred,ann\nblue,bob\n", "Ward", name: "wards.csv"),
            EngineBench.job(csv: "name,ward\nann,blue\nbob,\n", "Nurse", name: "nurses.csv"),
        ])
        #expect(mended.counts == RecordCounts(created: 4))
        #expect(try bench.faults() == [])
    }
}

@Suite struct KeepGoodLongTests {
    @Test(arguments: KeepGoodTests.cases.indices, EngineBench.Kind.allCases)
    func `Bad rows stay out, and who refers to them`(_ index: Int, _ kind: EngineBench.Kind) throws {
        try KeepGoodTests().check(index, kind)
    }
}
