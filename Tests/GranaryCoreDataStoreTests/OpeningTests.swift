import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryModelFiles
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Opening an existing store") struct OpeningTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription("Author", [.attribute("name", .string), .toMany("books", "Book", inverse: "author")]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string), .attribute("year", .integer16),
                .toOne("author", "Author", inverse: "books"),
            ]),
    ])

    /// A published store with `count` books.
    static func store(in folder: TemporaryFolder, books count: Int = 0) throws -> Schema {
        let schema = try model.resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        var batch = RowBatch()
        for key in 0..<count {
            let row = batch.appendRow(entity: 1, key: Int64(key + 1), version: 1, slotCount: 3)
            AttributeValue.string("Title \(key)").withBorrowed { batch.set($0, row: row, slot: 0) }
        }
        try store.transaction { writer in
            try writer.reserveKeys(root: 1, through: Int64(count))
            try writer.insert(batch)
        }
        try store.publish()
        return schema
    }

    private func refusal(_ path: String, _ schema: Schema, readOnly: Bool = true) -> GranaryError? {
        #expect(throws: GranaryError.self) { try SQLiteStore.open(path: path, schema: schema, readOnly: readOnly) }
    }

    @Test("Another model is refused, with the differences")
    func otherModel() throws {
        let folder = try TemporaryFolder()
        _ = try Self.store(in: folder)
        var other = Self.model
        other.entities[1].attributes[1].type = .integer32
        other.entities[0].name = "Writer"
        other.entities[1].relationships[0].destinationEntityName = "Writer"
        let error = refusal(folder.storePath, try other.resolved())
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.entity) == ["Author", "Book", "Writer"])
        #expect(Set(error?.diagnostics.map(\.code) ?? []) == [.storeMismatch])
        #expect(error?.diagnostics.map(\.message.count).allSatisfy { $0 > 0 } == true)
    }

    @Test(
        "A file that is not a store is refused",
        arguments: ["", "not a database at all, but long enough to have a header page", "SQLite format 3\u{0}"])
    func noDatabase(_ text: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "x.sqlite")
        #expect(refusal(file.path, try Self.model.resolved())?.code == .refused)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("A database that is not a Core Data store is refused")
    func plainDatabase() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.storePath, mode: .create)
        try connection.execute(
            "CREATE TABLE people (name TEXT); CREATE VIEW Z_METADATA AS SELECT 1; CREATE TABLE Z_PRIMARYKEY (a)")
        let error = refusal(folder.storePath, try Self.model.resolved())
        #expect(error?.code == .refused)
        #expect(error?.message.contains("not a Core Data store") == true)
    }

    @Test("A missing file and a folder are refused")
    func missing() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model.resolved()
        #expect(refusal(folder.storePath, schema)?.code == .unreadable)
        #expect(refusal(folder.storePath, schema, readOnly: false)?.code == .unreadable)
        #expect(refusal(folder.url.path, schema)?.code == .unreadable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("A file truncated anywhere is refused")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder, books: 2_000)
        let whole = try Data(contentsOf: URL(filePath: folder.storePath))
        #expect(whole.count > 15 * 4_096)
        for length in stride(from: 0, to: whole.count, by: 1_024) {
            let file = try folder.write(whole.prefix(length), to: "cut.sqlite")
            let error = #expect(throws: GranaryError.self, "\(length) of \(whole.count) bytes") {
                let store = try SQLiteStore.open(path: file.path, schema: schema, readOnly: true)
                try store.read(entities: 0..<1, batchSize: 100) { _ in true }
                try store.read(entities: 1..<2, batchSize: 100) { _ in true }
            }
            #expect(error?.code == .refused, "\(length) bytes: \(String(describing: error))")
        }
    }

    @Test("A damaged file never crashes the process")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder, books: 500)
        let whole = try Data(contentsOf: URL(filePath: folder.storePath))
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<150 {
            var copy = whole
            for _ in 0..<20 {
                copy[Int.random(in: 16..<copy.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            let file = try folder.write(copy, to: "damaged.sqlite")
            do {
                let store = try SQLiteStore.open(path: file.path, schema: schema, readOnly: true)
                for entity in schema.entities {
                    try store.read(entities: entity.family, batchSize: 100) { batch in
                        for row in batch.rows.indices {
                            for attribute in entity.attributes { _ = try? batch.value(row: row, of: attribute) }
                        }
                        return true
                    }
                }
            } catch let error as GranaryError {
                #expect([.refused, .unreadable, .inputOutput].contains(error.code), "\(error)")
            }
        }
    }

    @Test("A store opened for reading cannot be written")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder, books: 3)
        let before = try Data(contentsOf: URL(filePath: folder.storePath))
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        #expect(store.isReadOnly)
        let error = #expect(throws: GranaryError.self) { try store.transaction { _ in } }
        #expect(error?.code == .usage)
        #expect(try store.count(entity: 1) == 3)
        #expect(try Data(contentsOf: URL(filePath: folder.storePath)) == before)
    }

    @Test(
        "A file or folder without write permission can be read", .enabled(if: geteuid() != 0, "root may write anything")
    )
    func permissions() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder, books: 3)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.storePath)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
        #expect(refusal(folder.storePath, schema, readOnly: false)?.code == .uncreatable)
        #expect(try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true).count(entity: 1) == 3)
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.create(path: folder.url.appending(path: "new").path, schema: schema)
        }
        #expect(error?.code == .uncreatable)
    }

    @Test("A store that another connection has locked is busy")
    func busy() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder)
        let other = try Connection(path: folder.storePath, mode: .readWrite)
        try other.execute("BEGIN EXCLUSIVE")
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.open(path: folder.storePath, schema: schema, busyTimeout: .milliseconds(20))
        }
        #expect(error?.code == .busy)
        try other.execute("ROLLBACK")
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, busyTimeout: .milliseconds(20))
        try other.execute("BEGIN IMMEDIATE")
        #expect(try store.count(entity: 1) == 0)
        let refused = #expect(throws: GranaryError.self) { try store.transaction { _ in } }
        #expect(refused?.code == .busy)
        try other.execute("ROLLBACK")
        try store.transaction { _ in }
    }

    @Test(
        "Rows that are only in the write-ahead log are read",
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func writeAheadLog() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.store(in: folder)
        let writer = try Connection(path: folder.storePath, mode: .readWrite)
        #expect(try writer.text(pragma: "journal_mode = WAL") == "wal")
        try writer.execute("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'in the log')")
        // Copies both files, as after a crash.
        let copy = folder.url.appending(path: "copy.sqlite").path
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.storePath + suffix, toPath: copy + suffix)
        }
        let store = try SQLiteStore.open(path: copy, schema: schema, readOnly: true)
        #expect(try store.read(root: 1, keys: [1]).value(row: 0, of: schema.entities[1].attributes[0]) == "in the log")

        let journal = try #require(RealStore.all.first { $0.path.hasSuffix("SurfJournalModel.sqlite") })
        let real = try Connection(path: try journal.copy(to: folder), mode: .readOnly)
        #expect(try real.integer("SELECT COUNT(*) FROM ZJOURNALENTRY") == 5_000)
    }
}
