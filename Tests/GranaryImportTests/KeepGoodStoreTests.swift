import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Keep-good against what the store has and refuses: its own rules, and objects that were there before.
@Suite struct KeepGoodStoreTests {
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

    // MARK: What the store refuses

    /// Rules of the file itself, that the model does not have.
    @Test(
        arguments: [
            "CREATE UNIQUE INDEX extra ON ZNODE (ZSIZE)",
            "ALTER TABLE ZNODE ADD COLUMN ZEXTRA INTEGER CHECK (ZSIZE IS NOT 7)",
        ])
    func `Rows that the store refuses are left out`(_ rule: String) throws {
        let bench = try Self.bench(.sqlite)
        defer { bench.keep() }
        let store = try #require(bench.store as? SQLiteStore)
        try store.connection.execute(rule)
        let text = "code,size,next\na,7,\nb,7,\nc,2,\nd,3,b\ne,4,c\n"
        let isIndex = rule.contains("INDEX")
        let run = try bench.load(csv: text, "Node", run: TestImport.keepGood)
        #expect(run.report.diagnostics.allSatisfy { $0.position?.file == "in.csv" })
        let refused = isIndex ? [3, 5] : [2, 3, 5]
        #expect(Set(run.report.diagnostics.compactMap { $0.position?.line }) == Set(refused), "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 5 - refused.count, rejected: refused.count))
        #expect(
            try bench.table("Node", "code", "next") == (isIndex ? "code,next\na,\nc,\ne,c\n" : "code,next\nc,\ne,c\n"))
        // Objects that are there stay as they are, and the rows around are written.
        let update = try bench.load(
            csv: "code,size\nc,7\ne,5\n", "Node", run: TestImport.keepGood, EngineBench.update)
        #expect(update.report.diagnostics.map { $0.position?.line } == [2], "\(update.messages)")
        #expect(update.counts == RecordCounts(updated: 1, rejected: 1) && update.addsUp)
        #expect(update.report.changes.map(\.line) == [3])
        #expect(try bench.table("Node", "code", "size").hasSuffix("c,2\ne,5\n"))
        // All or nothing: the line is said as well.
        let before = try bench.document()
        let strict = try bench.load(csv: "code,size\nx,9\ny,7\nz,7\n", "Node")
        #expect(strict.report.isRefused && strict.report.diagnostics.first?.position?.line == 3)
        #expect(try bench.document() == before)
    }

    /// The row is left as it was, and so is who stands at the other end of its one-to-one.
    @Test func `A refused change takes no partner away`() throws {
        let bench = try Self.bench(.sqlite)
        defer { bench.keep() }
        try bench.load(csv: "code,size,mate\na,1,b\nb,2,a\n", "Node")
        let store = try #require(bench.store as? SQLiteStore)
        try store.connection.execute("ALTER TABLE ZNODE ADD COLUMN ZEXTRA INTEGER CHECK (ZSIZE IS NOT 7)")
        let run = try bench.load(
            csv: "code,size,mate\na,7,\nc,3,\n", "Node", run: TestImport.keepGood, EngineBench.update)
        #expect(run.counts == RecordCounts(created: 1, rejected: 1) && run.addsUp, "\(run.messages)")
        #expect(try bench.table("Node", "code", "size", "mate") == "code,size,mate\na,1,b\nb,2,a\nc,3,\n")
        #expect(try bench.faults() == [])
    }

    @Test func `One refused row in each batch costs that row`() throws {
        let bench = try Self.bench(.sqlite)
        defer { bench.keep() }
        let store = try #require(bench.store as? SQLiteStore)
        try store.connection.execute("CREATE UNIQUE INDEX extra ON ZNODE (ZSIZE)")
        var text = "code,size\n"
        var refused: [Int] = []
        for row in 0..<3500 {
            let isDuplicate = row % 500 == 499
            text += "n\(row),\(isDuplicate ? row - 1 : row)\n"
            if isDuplicate { refused.append(row + 2) }
        }
        let run = try bench.load(csv: text, "Node", run: TestImport.keepGood)
        #expect(run.report.diagnostics.compactMap { $0.position?.line } == refused)
        #expect(run.counts == RecordCounts(created: 3500 - refused.count, rejected: refused.count))
        #expect(try bench.count("Node") == 3500 - refused.count)
    }

    // MARK: Objects that were there before

    @Test(arguments: EngineBench.Kind.allCases)
    func `A rejected row leaves its object as it was, and others may refer to it`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        try bench.load(csv: "code,size,next\na,1,\nb,2,a\nc,3,\n", "Node")
        let text = "code,size,next\na,5,zz\nb,6,new\nnew,x,\nd,7,a\nc,8,d\n"
        let run = try bench.load(csv: text, "Node", run: TestImport.keepGood, EngineBench.update)
        #expect(
            run.lines.sorted() == [
                "2 relationship.notFound next", "3 relationship.notFound next", "4 value.syntax size",
            ])
        #expect(run.counts == RecordCounts(created: 1, updated: 1, rejected: 3) && run.addsUp)
        #expect(run.changes == ["update Node/p3 6 next,size"])
        #expect(try bench.table("Node", "code", "size", "next") == "code,size,next\na,1,\nb,2,a\nc,8,d\nd,7,a\n")
        #expect(try bench.version("Node", 1) == 1)
        #expect(try bench.faults() == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What another job says of the object of a rejected row stays`(_ kind: EngineBench.Kind) throws {
        for isFirst in [true, false] {
            let bench = try Self.bench(kind)
            defer { bench.keep() }
            try bench.load(csv: "code,size\na,1\n", "Node")
            let bad = EngineBench.job(csv: "code,next\na,zz\n", "Node", name: "bad.csv", EngineBench.update)
            let good = EngineBench.job(csv: "code,size\na,5\n", "Node", name: "good.csv", EngineBench.update)
            let run = try bench.load(isFirst ? [bad, good] : [good, bad], run: TestImport.keepGood)
            #expect(run.counts == RecordCounts(updated: 1, rejected: 1))
            #expect(run.changes == ["update Node/p1 2 size"])
            #expect(try bench.table("Node", "code", "size", "next") == "code,size,next\na,5,\n")
        }
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Putting a rejected row back takes nothing of another job's`(_ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Item",
                [
                    .attribute("code", .string), .attribute("name", .string), .attribute("size", .integer16),
                    .toOne("next", "Item", inverse: nil),
                ], unique: [["code"]])
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,name,size\na,Ann,1\n", "Item")
        let run = try bench.load(
            [
                EngineBench.job(csv: "code,size,next\na,5,zz\n", "Item", name: "bad.csv", EngineBench.update),
                EngineBench.job(csv: "code,name\na,Zed\n", "Item", name: "good.csv", EngineBench.update),
            ], run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(rejected: 1), RecordCounts(updated: 1)])
        #expect(try bench.table("Item", "code", "name", "size") == "code,name,size\na,Zed,1\n")
    }

    /// The second row speaks of an object that there will not be.
    @Test(arguments: EngineBench.Kind.allCases)
    func `A row of an object that a rejected record of another job brings is rejected`(
        _ kind: EngineBench.Kind
    ) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let run = try bench.load(
            [
                EngineBench.job(csv: "code,next\na,zz\nb,\n", "Node", name: "1.csv"),
                EngineBench.job(csv: "code,size\na,5\nb,6\n", "Node", name: "2.csv", EngineBench.update),
            ], run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(created: 1, rejected: 1), RecordCounts(updated: 1, rejected: 1)])
        #expect(try bench.table("Node", "code", "size") == "code,size\nb,6\n")
    }
}
