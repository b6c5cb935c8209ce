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

/// Indexes are dropped behind many rows and made anew: the store has them all in the end.
@Suite struct IndexDeferralTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Group", [.attribute("name", .string), .toMany("items", "Item", inverse: "group")], unique: [["name"]]),
        EntityDescription(
            "Item", [.attribute("code", .string), .toOne("group", "Group", inverse: "items")], unique: [["code"]]),
    ])
    /// Indexes are dropped from 20,000 rows on.
    private static let rowCount = 21_000

    private static func text(last: String = "") -> String {
        var text = "code,group\n"
        for row in 0..<rowCount { text += "c\(row * 7919 % rowCount),g\(row % 5)\n" }
        return text + last
    }

    private static func bench() throws -> EngineBench {
        let bench = try EngineBench(model, .sqlite)
        try bench.load(csv: "name\ng0\ng1\ng2\ng3\ng4\n", "Group")
        return bench
    }

    private static func schema(_ bench: EngineBench) throws -> Set<SchemaObject> {
        Set(try #require(bench.store as? SQLiteStore).connection.schema())
    }

    @Test(arguments: [""])
    func `All indexes are there again, with all rows`(_ last: String) throws {
        let bench = try Self.bench()
        defer { bench.keep() }
        let before = try Self.schema(bench)
        let run = try bench.load(csv: Self.text(last: last), "Item")
        #expect(run.problems == [] && run.report.created == Self.rowCount + (last.isEmpty ? 0 : 1))
        #expect(try Self.schema(bench) == before)
        let store = try #require(bench.store as? SQLiteStore)
        let check = try store.connection.prepare("PRAGMA integrity_check")
        #expect(try check.step() && check.string(at: 0) == "ok")
        // The unique index refuses again, and another import finds the rows.
        #expect(try bench.load(csv: "code\nc7\n", "Item").problems == ["2:1 unique.exists code"])
        #expect(try bench.load(csv: "code,group\nnew,g1\n", "Item").counts == RecordCounts(created: 1))
        #expect(try bench.faults() == [])
    }

    func `A refused import and a dry run leave the indexes alone`() throws {
        let bench = try Self.bench()
        defer { bench.keep() }
        let before = (try Self.schema(bench), try bench.document())
        #expect(try bench.load(csv: Self.text(last: "c1,g0\n"), "Item").report.isRefused)
        var dry = ImportRunOptions()
        dry.isDryRun = true
        #expect(try bench.load(csv: Self.text(), "Item", run: dry).report.created == Self.rowCount)
        #expect(try Self.schema(bench) == before.0)
        #expect(try bench.document() == before.1)
    }

    /// Rows that wait are written with indexes dropped too; links are looked up behind them.
    func `Lists behind many rows`() throws {
        let bench = try Self.bench()
        defer { bench.keep() }
        let run = try bench.load([
            EngineBench.job(csv: "name,items\nh,c1;c2\n", "Group", name: "1.csv"),
            EngineBench.job(
                csv: Self.text().replacing(",g1\n", with: ",\n").replacing(",g2\n", with: ",\n"), "Item", name: "2.csv"),
        ])
        let taken = run.report.diagnostics.filter { $0.code == .relationshipTaken }
        #expect(run.report.isRefused == !taken.isEmpty)
        #expect(try bench.faults() == [])
    }
}

@Suite struct IndexDeferralLongTests {
    @Test func `All indexes are there again, with all rows`() throws {
        try IndexDeferralTests().`All indexes are there again, with all rows`("z,g0\n")
    }

    @Test func `A refused import and a dry run leave the indexes alone`() throws {
        try IndexDeferralTests().`A refused import and a dry run leave the indexes alone`()
    }

    @Test func `Lists behind many rows`() throws {
        try IndexDeferralTests().`Lists behind many rows`()
    }
}
