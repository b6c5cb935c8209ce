import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The ledger of runs") struct ImportLedgerTests {
    private func length(_ store: SQLiteStore) throws -> Int {
        Int(try store.connection.integer("SELECT length(Z_PLIST) FROM Z_METADATA") ?? 0)
    }

    @Test("The ledger keeps at most 4096 bytes of the newest runs") func limit() throws {
        let bench = try RunBench(.sqlitePublished)
        let bare = try length(bench.sqlite)
        let others = bench.store.metadata.entries
        for number in 0..<60 {
            try bench.store.transaction { try $0.recordRun(RunBench.entry("run-\(number)")) }
            #expect(try length(bench.sqlite) - bare <= 4096)
        }
        let ledger = bench.store.importLedger
        #expect(ledger.runs.last == RunBench.entry("run-59"))
        #expect(ledger.droppedRuns > 0 && ledger.runs.count > 5)
        #expect(ledger.runs.count + ledger.droppedRuns == 60)
        #expect(bench.store.metadata.entries.filter { $0.key != ImportLedger.key } == others)

        try bench.store.transaction { try $0.recordRun(RunBench.entry("run-many", sources: 1000)) }
        let run = try #require(bench.store.importRuns.first)
        #expect(bench.store.importRuns.count == 1)
        #expect(run.sources.count + run.sourcesLeftOut == 1000 && !run.sources.isEmpty)
        #expect(try length(bench.sqlite) - bare <= 4096)
        let reopened = try SQLiteStore.open(path: bench.sqlite.path, schema: bench.store.schema)
        #expect(reopened.importRuns == [run])
    }

    @Test("The run of a failed transaction is not recorded") func rollback() throws {
        struct Stop: Error {}
        let bench = try RunBench(.sqlitePublished)
        #expect(throws: Stop.self) {
            try bench.store.transaction { writer -> Void in
                try writer.recordRun(RunBench.entry("run-a"))
                throw Stop()
            }
        }
        #expect(bench.store.importRuns.isEmpty)
        try bench.store.transaction { try $0.recordRun(RunBench.entry("run-b")) }
        #expect(bench.store.importRuns.map(\.id) == ["run-b"])
    }

    static let foreign: [PropertyListValue] = [
        .string("x"), .array([.string("x")]), .array([.dictionary([])]), .dictionary([]),
        .array([.dictionary([PropertyListEntry("dropped", .integer(-1))])]),
    ]

    @Test("A foreign value of the ledger's key stays", arguments: foreign)
    func notOurs(_ value: PropertyListValue) throws {
        let bench = try RunBench(.sqlitePublished)
        try bench.store.setUserMetadata([PropertyListEntry(ImportLedger.key, value)])
        let before = try bench.dump
        #expect(bench.store.importLedger.problem != nil)
        try bench.store.transaction { try $0.recordRun(RunBench.entry("run-a")) }
        #expect(bench.store.importRuns.isEmpty)
        #expect(try bench.dump == before)
    }

    @Test("Other kinds of stores have no ledger") func otherStores() throws {
        let store = InMemoryStore(schema: try ConformanceModel.model.resolved())
        try store.transaction { try $0.recordRun(RunBench.entry("run-a")) }
        #expect(store.importRuns.isEmpty)
        #expect(throws: GranaryError.self) { try store.transaction(recording: "run-a") { _ in } }
    }
}
