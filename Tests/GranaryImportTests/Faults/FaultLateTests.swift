import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Records that are rejected after all records are read, and the records that depend on them.
@Suite struct FaultLateTests {
    /// A store with the item k1, which has the badge 1.
    private static func store() throws -> InMemoryStore {
        let store = try FaultModel.store()
        _ = try TestImport.csv("code,name,badge\nk1,Ann,1\n", "Item", into: store)
        return store
    }

    /// A rejected record frees no value: a record that needs the value is rejected too.
    @Test(arguments: ["k1,Ann,2,nobody\nk2,Bob,1,\n", "k2,Bob,1,\nk1,Ann,2,nobody\n", "k1,x,2,\nk2,Bob,1,\n"])
    func `A value that a rejected record would change stays with its object`(_ rows: String) throws {
        let store = try Self.store()
        let before = try FaultContents.of(store)
        let run = try TestImport.csv("code,name,badge,parent\n" + rows, "Item", into: store, run: TestImport.keepGood) {
            $0.onConflict = .update
        }
        #expect(run.report.rejected == 2 && run.report.created == 0 && run.report.updated == 0, "\(run.problems)")
        #expect(try FaultContents.of(store) == before)
    }

    @Test func `A badge that a good row gives up is free`() throws {
        let store = try Self.store()
        let run = try TestImport.csv("code,name,badge\nk2,Bob,1\nk1,Ann,2\n", "Item", into: store) {
            $0.onConflict = .update
        }
        #expect(run.report.created == 1 && run.report.updated == 1, "\(run.problems)")
        #expect(try run.csv("Item", columns: ["code", "badge"]) == "code,badge\nk1,2\nk2,1\n")
    }

    /// A key is not ambiguous if only one of two records with it stays.
    @Test func `A rejected record with an equal key makes no reference ambiguous`() throws {
        let text = "code,name,parent\nk1,Ann,\nk1,Bob,\nk2,Cy,k1\n"
        let run = try TestImport.csv(text, "Item", into: try FaultModel.store(), run: TestImport.keepGood)
        #expect(run.problems == ["3:1 unique.duplicate code"])
        #expect(run.report.created == 2)
    }

    /// The whole chain goes, however long, and in whatever order its rows stand.
    @Test(arguments: [false, true])
    func `Records that refer to a rejected record are rejected, directly or indirectly`(_ isForward: Bool) throws {
        var rows = (1...2_000).map { "k\($0),Ann,k\($0 - 1)\n" }
        rows.insert("k0,Ann,nobody\n", at: 0)
        rows.append("m1,Ann,m2\n")
        rows.append("m2,Ann,m1\n")
        if isForward { rows.reverse() }
        let text = "code,name,parent\n" + rows.joined()
        let run = try TestImport.csv(text, "Item", into: try FaultModel.store(), run: FaultCheck.run)
        #expect(run.report.rejected == 2_001 && run.report.created == 2)
        #expect(run.report.diagnosticCount == 2_001)
        #expect(
            try run.csv("Item", columns: ["code", "parent"]).split(separator: "\n").sorted()
                == ["code,parent", "m1,m2", "m2,m1"])
        let lines = Set(run.report.diagnostics.compactMap(\.position?.line))
        #expect(lines.count == 2_001)
    }
}
