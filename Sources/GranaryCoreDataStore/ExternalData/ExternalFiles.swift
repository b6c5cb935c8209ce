import Foundation
import GranaryCoordination
import GranarySQLite

/// The external files that a transaction creates, and the files that it makes superfluous
/// (docs/core-data/sqlite-layout.md#external-storage).
///
/// A file is complete and synced before the row that names it is written. It is removed if the transaction fails. A
/// file that no row names any more is removed after the commit; several rows may name the same file. A crash may leave
/// superfluous files, which ``ExternalFilesLog`` records for the next transaction, but no row lacks its file.
final class ExternalFiles {
    private struct Made {
        let name: String
        let table: String
        let column: String
        let key: Int64
    }

    private let store: SQLiteStore
    private lazy var folder = ExternalFolder(ofStore: store.path, databasePath: store.connection.path)
    /// Whether the transaction has tried to write a file.
    private var usesFolder = false
    private var made: [Made] = []
    private var superfluous: [String] = []
    private lazy var log = ExternalFilesLog(storePath: store.path)

    private typealias Row = (key: Int64, columns: StoreSQL.ExternalColumns, start: Int)
    /// The current row, and the number of files created before it.
    private var row: Row?
    /// The files that the stored row names and the new row does not name, by slot.
    private var named: [Int: String] = [:]

    init(store: SQLiteStore) { self.store = store }

    // MARK: Rows

    /// Call before a row is written or deleted.
    ///
    /// - Parameters:
    ///   - columns: the columns of the entity; nil for an entity without external storage.
    ///   - isNew: whether the row is not in the store yet.
    func beginRow(_ key: Int64, _ columns: StoreSQL.ExternalColumns?, isNew: Bool) throws {
        if row != nil { abandonRow() }
        guard let columns else { return }
        row = (key, columns, made.count)
        if !isNew { named = try namedFiles(key, columns) }
    }

    /// Binds a value, or the name of its file if the value is long.
    func bind(
        _ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ field: StoreSQL.Field, to statement: Statement
    ) throws {
        guard let reference = try reference(to: cell, bytes, field) else {
            return try statement.bind(cell, bytes, isTagged: true, at: field.index)
        }
        try statement.bind(blob: reference, at: field.index)
    }

    /// Returns the blob that names the file of a value, and writes the file if the row's present file differs. Nil if
    /// the value is stored inline.
    func reference(
        to cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ field: StoreSQL.Field
    ) throws -> [UInt8]? {
        guard let row else { return nil }
        if case .file(let start, let count) = cell {
            return try copy(String(decoding: bytes.slice(start, count), as: UTF8.self), row, field)
        }
        guard case .blob(let start, let count) = cell else { return nil }
        let value = bytes.slice(start, count)
        let name: String
        if let old = named[field.slot], ExternalData.isFile(old, ofStore: store.path, equalTo: value) {
            name = old
            named[field.slot] = nil
        } else if value.count > ExternalData.inlineLimit {
            name = try newName()
            try folder.add(value, as: name)
            note(name, row, field)
        } else {
            return nil
        }
        return ExternalData.blob(naming: name)
    }

    /// Copies a file of another store piece by piece, because its value was too large to be read.
    private func copy(_ source: String, _ row: Row, _ field: StoreSQL.Field) throws -> [UInt8] {
        let name = try newName()
        try folder.add(contentsOf: source, as: name)
        note(name, row, field)
        return ExternalData.blob(naming: name)
    }

    private func newName() throws -> String {
        let name = UUID().uuidString
        usesFolder = true
        try log.add(name)
        return name
    }

    private func note(_ name: String, _ row: Row, _ field: StoreSQL.Field) {
        made.append(Made(name: name, table: row.columns.table, column: row.columns.name(of: field), key: row.key))
        if !store.isPublished { store.unpublishedFiles.append(name) }
    }

    /// Call after the row's statement has run.
    func endRow() {
        guard row != nil else { return }
        superfluous += named.values
        named = [:]
        row = nil
    }

    /// Removes the files of a row whose statement failed.
    private func abandonRow() {
        if let row {
            for file in made[row.start...] { folder.remove(file.name) }
            made.removeSubrange(row.start...)
        }
        named = [:]
        row = nil
    }

    private func namedFiles(_ key: Int64, _ columns: StoreSQL.ExternalColumns) throws -> [Int: String] {
        try store.connection.withStatement(columns.select) { statement in
            try statement.bind(key, at: 1)
            var found: [Int: String] = [:]
            guard try statement.step() else { return found }
            for (index, slot) in columns.slots.enumerated() where statement.type(at: index) == .blob {
                found[slot] = ExternalData.fileName(in: try statement.blob(at: index))
            }
            return found
        }
    }

    // MARK: The transaction's end

    /// The files that the transaction creates, and the existing files that are removed after its commit. Valid after
    /// ``prepareCommit()``.
    var outcome: (added: [String], removed: [String]) {
        let new = Set(made.map(\.name))
        let gone = Set(superfluous)
        return (new.subtracting(gone).sorted(), gone.subtracting(new).sorted())
    }

    /// Call before the commit, when all rows are written. Syncs the folder, so that the files are on disk before the
    /// rows, and removes names from the list of superfluous files that a row still names.
    func prepareCommit() throws {
        abandonRow()
        if !superfluous.isEmpty {
            superfluous = Set(superfluous).subtracting(try SQLiteStore.namedFiles(store.connection)).sorted()
        }
        for name in superfluous { try log.add(name) }
        if !made.isEmpty { folder.sync() }
    }

    /// Call after the commit.
    func commit() {
        // If the process is killed before the store is published, the log is needed to remove the files.
        if !store.isPublished { store.unpublishedLogs.append(log) }
        defer { store.removeKeptFiles() }
        if !superfluous.isEmpty {
            PublishedFile.syncCommit(of: store.connection.path)
            guard store.snapshotUse.isFree else { return store.keepFiles(log) }
            for name in superfluous { folder.remove(name) }
        }
        if store.isPublished { log.remove() }
    }

    /// Call after a failed transaction. Files that the store names are kept: a disk error may be reported although the
    /// commit succeeded.
    func discard() {
        abandonRow()
        defer { log.remove() }
        guard usesFolder else { return }
        for file in made where !isNamed(file) { folder.remove(file.name) }
        if folder.isNew { folder.removeIfEmpty() }
    }

    private func isNamed(_ file: Made) -> Bool {
        let query = "SELECT 1 FROM \(file.table) WHERE Z_PK = ?1 AND \(file.column) = ?2"
        let found = try? store.connection.withStatement(query) { statement in
            try statement.bind(file.key, at: 1)
            try statement.bind(blob: ExternalData.blob(naming: file.name), at: 2)
            return try statement.step()
        }
        // If the query fails, keep the file: a superfluous file does no harm.
        return found ?? true
    }
}
