import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// Rows that are read in a transaction, where a table can be scanned, beside the rows that a statement reads.
@Suite("Rows read by scans") struct ScannedRowsTests {
    /// The keys and versions of the rows of entity 1 until an error, and the error.
    private struct Outcome: Equatable {
        var rows: [[Int64]] = []
        var message: String?
    }

    private func outcome(_ store: SQLiteStore, batchSize: Int) -> Outcome {
        var outcome = Outcome()
        do {
            try store.read(entities: 1..<2, batchSize: batchSize) { batch in
                for row in batch.rows.indices { outcome.rows.append([batch.rows[row].key, batch.rows[row].version]) }
                return true
            }
        } catch {
            outcome.message = "\(error)"
        }
        return outcome
    }

    /// Rows that a scan leaves to a statement, at the beginning, in the middle and at the end of the table.
    @Test(
        "A statement continues after the last scanned row",
        arguments: [
            "Z_ENT = 'x'", "Z_ENT = NULL", "Z_ENT = 9", "Z_OPT = NULL", "Z_OPT = 'x'", "Z_OPT = 1.5", "Z_OPT = -1",
            "ZAUTHOR = 'x'", "ZTITLE = x'FF'",
        ], [1, 5, 10])
    func continues(_ assignment: String, _ key: Int) throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 10)
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute("UPDATE ZBOOK SET \(assignment) WHERE Z_PK = \(key)")
        try connection.close()
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        for batchSize in [1, 2, 3, 100] {
            let expected = outcome(store, batchSize: 1)
            let found = try store.reading { outcome(store, batchSize: batchSize) }
            #expect(found.message == expected.message)
            // A batch with a row that cannot be read is not passed on.
            let isPrefix = expected.rows.starts(with: found.rows)
            #expect(isPrefix && (expected.message != nil || found.rows == expected.rows), "batches of \(batchSize)")
            #expect(batchSize > 1 || found == expected)
        }
    }

    @Test("A reader that stops gets no more rows", arguments: [1, 4, 10])
    func stopping(_ limit: Int) throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 10)
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        var keys: [Int64] = []
        try store.reading {
            try store.read(entities: 1..<2, batchSize: 1) { batch in
                keys += batch.rows.map(\.key)
                return keys.count < limit
            }
        }
        #expect(keys == (1...Int64(limit)).map { $0 })
    }

    /// A scan gives the order of the rowids, so such a table is left to a statement.
    @Test("Rows are in the order of Z_PK, also if it is not the table's rowid")
    func otherKeys() throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 10)
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(
            """
            CREATE TABLE t AS SELECT * FROM ZBOOK ORDER BY Z_PK * 7 % 11; DROP TABLE ZBOOK;
            ALTER TABLE t RENAME TO ZBOOK
            """)
        try connection.close()
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        let found = try store.reading { outcome(store, batchSize: 3) }
        #expect(found == Outcome(rows: (1...10).map { [$0, 1] }))
    }

    @Test("References without an entity number get it from the destination's row")
    func referencesWithoutEntities() throws {
        let library = try CheckedLibrary()
        try library.execute(
            """
            UPDATE ZBADGE SET ZBOOK = NULL, Z3_BOOK = NULL;
            INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z3_BOOK)
            VALUES (2, 2, 1, 1, 3), (3, 2, 1, 2, NULL), (4, 2, 1, NULL, NULL), (5, 2, 1, 2, 4), (6, 2, 1, 99, NULL)
            """)
        let store = try SQLiteStore.open(
            path: library.folder.storePath, schema: try CheckedLibrary.model.resolved(), readOnly: true)
        try expectSameContent(store)
    }

    private func expectSameContent(_ store: SQLiteStore, _ comment: String = "") throws {
        // A store whose external files are missing gives an error, the same in both ways.
        func content() -> (StoreContent?, String?) {
            do { return (try StoreContent(store), nil) } catch { return (nil, "\(error)") }
        }
        let expected = content()
        let found = try store.reading { content() }
        #expect(found.0 == expected.0, "\(comment)")
        #expect(found.1 == expected.1, "\(comment)")
    }

    @Test("Values of all types", arguments: [1, 3])
    func values(_ copies: Int64) throws {
        let bench = try StoreBench(.sqliteOpened)
        var key: Int64 = 0
        for _ in 0..<copies {
            for (name, values) in ConformanceModel.values {
                for value in values {
                    key += 1
                    let row = try bench.row("Values", key, [name: value])
                    let root = try bench.entity("Values").root
                    try bench.store.transaction { writer in
                        try writer.reserveKeys(root: root, through: key)
                        try writer.insert(row)
                    }
                }
            }
        }
        try bench.insertNodes(20)
        let store = try #require(bench.store as? SQLiteStore)
        // With an empty log the tables can be scanned.
        try store.connection.checkpoint()
        try expectSameContent(store)
    }

    @Test(
        "Real stores", .enabled(if: SharedFiles.arePresent, "../shared is not there"), arguments: RealStore.withModels)
    func realStores(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        // With an empty log the tables can be scanned.
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.checkpoint()
        try connection.close()
        let schema = try #require(try real.schema())
        try expectSameContent(try SQLiteStore.open(path: path, schema: schema, readOnly: true), real.path)
    }
}
