import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Decisions after all records are read, before rows are written.
@Suite struct ImportResolutionTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Node",
            [
                .attribute("code", .string), .attribute("badge", .integer32),
                .toOne("next", "Node", inverse: nil), .toOne("boss", "Node", inverse: "staff"),
                .toMany("staff", "Node", inverse: "boss"),
            ], unique: [["code"], ["badge"]])
    ])

    private static func bench(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "code,badge\na,1\nb,2\nc,3\n", "Node")
        return bench
    }

    struct Case: Sendable {
        let rows: String
        let problems: [String]
        let table: String
    }

    private static let cases = [
        // A swap, a circle, and a chain in both directions.
        Case(rows: "a,2\nb,1\n", problems: [], table: "a,2 b,1 c,3"),
        Case(rows: "a,2\nb,3\nc,1\n", problems: [], table: "a,2 b,3 c,1"),
        Case(rows: "a,2\nb,3\nc,4\n", problems: [], table: "a,2 b,3 c,4"),
        Case(rows: "c,4\nb,3\na,2\n", problems: [], table: "a,2 b,3 c,4"),
        // A new object takes what a later record frees.
        Case(rows: "d,1\na,4\n", problems: [], table: "a,4 b,2 c,3 d,1"),
        Case(rows: "d,1\na,\n", problems: [], table: "a, b,2 c,3 d,1"),
        // No record frees it, or the record that does is rejected.
        Case(rows: "d,1\na,1\n", problems: ["2:3 unique.exists badge"], table: "a,1 b,2 c,3"),
        Case(
            rows: "d,1\na,x\n", problems: ["2:3 unique.exists badge", "3:3 value.syntax badge"],
            table: "a,1 b,2 c,3"),
        Case(
            rows: "a,2\nb,1,zz\n", problems: ["2:3 unique.exists badge", "3:5 relationship.notFound next"],
            table: "a,1 b,2 c,3"),
        // Two records take one value: the earlier one has it.
        Case(rows: "d,1\ne,1\na,4\n", problems: ["3:3 unique.duplicate badge"], table: "a,4 b,2 c,3 d,1"),
        // A rejected record keeps its unique values.
        Case(
            rows: "d,4,zz\ne,4\n", problems: ["2:5 relationship.notFound next", "3:3 unique.duplicate badge"],
            table: "a,1 b,2 c,3"),
    ]

    @Test(arguments: cases.indices, EngineBench.Kind.allCases)
    func `Unique values are compared as they are in the end`(_ index: Int, _ kind: EngineBench.Kind) throws {
        let test = Self.cases[index]
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let rows = test.rows.split(separator: "\n").map { $0.count(where: { $0 == "," }) == 2 ? "\($0)\n" : "\($0),\n" }
        let run = try bench.load(
            csv: "code,badge,next\n" + rows.joined(), "Node", run: TestImport.keepGood, EngineBench.update)
        #expect(run.problems == test.problems, "\(run.messages)")
        #expect(run.addsUp && !run.report.isRefused)
        let table = try bench.table("Node", "code", "badge").split(separator: "\n").dropFirst().sorted()
        #expect(table.joined(separator: " ") == test.table)
        #expect(try bench.faults() == [])
    }

    /// The rows stand in batches of their own.
    @Test(arguments: EngineBench.Kind.allCases)
    func `A value is freed thousands of rows later`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        var text = "code,badge\nd,1\na,2\n"
        for row in 0..<3000 { text += "n\(row),\(row + 100)\n" }
        text += "b,1000000\n"
        let run = try bench.load(csv: text, "Node", EngineBench.update)
        #expect(run.problems == [] && run.counts == RecordCounts(created: 3001, updated: 2))
        #expect(try bench.table("Node", "code", "badge").hasPrefix("code,badge\na,2\nb,1000000\nc,3\nd,1\nn0,100\n"))
        #expect(try bench.faults() == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What a swap changes is told with the values from before`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "code,badge\na,2\nb,1\n", "Node", EngineBench.update)
        #expect(run.report.changes.flatMap { $0.values ?? [] }.map { "\($0.old) \($0.new)" } == ["1 2", "2 1"])
        #expect(try bench.version("Node", 1) == 2 && bench.version("Node", 2) == 2 && bench.version("Node", 3) == 1)
    }

    // MARK: Primary keys

    @Test(arguments: EngineBench.Kind.allCases)
    func `Rejected records leave no gaps in the primary keys`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = "code,badge,next\na,1,\nb,x,\nc,3,zz\nd,4,c\ne,5,a\nf,6,h\ng,7,\nh,8,\n"
        let run = try bench.load(csv: text, "Node", run: TestImport.keepGood)
        #expect(run.counts == RecordCounts(created: 5, rejected: 3))
        for key in 1...5 { #expect(try bench.version("Node", Int64(key)) == 1) }
        #expect(
            try bench.table("Node", "$id", "code", "next")
                == "$id,code,next\nNode/p1,a,\nNode/p2,e,a\nNode/p3,f,h\nNode/p4,g,\nNode/p5,h,\n")
        let more = try bench.load(csv: "code\nz\n", "Node")
        #expect(more.counts == RecordCounts(created: 1))
        #expect(try bench.version("Node", 6) == 1)
    }

    /// A rejected record has no key that another record asks for.
    @Test(arguments: EngineBench.Kind.allCases)
    func `Keys given by id stay as given`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = "$id,code,next\nNode/p5,a,\nx,b,nobody\ny,c,a\nNode/p6,d,\nNode/p20,e,nobody\n,f,c\n"
        let run = try bench.load(csv: text, "Node", run: TestImport.keepGood) {
            $0.lookups = ["next": .attribute("code")]
        }
        #expect(run.counts == RecordCounts(created: 4, rejected: 2), "\(run.messages)")
        let alone = try EngineBench(Self.model, .memory)
        let good = "$id,code,next\nNode/p5,a,\ny,c,a\nNode/p6,d,\n,f,c\n"
        try alone.load(csv: good, "Node") { $0.lookups = ["next": .attribute("code")] }
        let columns = ["$id", "code", "next"]
        #expect(
            try bench.table("Node", columns[0], columns[1], columns[2])
                == alone.table("Node", columns[0], columns[1], columns[2]))
    }

    // MARK: Lists

    /// A record of JSON that has no such member says nothing of it, whatever other records say.
    @Test(arguments: EngineBench.Kind.allCases)
    func `A list may leave out who does not say where it belongs`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        try bench.load(csv: "code,boss\nb,a\nc,a\n", "Node", EngineBench.update)
        let text = #"[{"code":"b","badge":20},{"code":"c","boss":"a"},{"code":"a","staff":["c"]}]"#
        let run = try bench.load(json: text, "Node", EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Node", "code", "boss") == "code,boss\na,\nb,\nc,a\n")
    }
}
