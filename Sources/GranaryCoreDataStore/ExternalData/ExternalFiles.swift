import Foundation
import GranaryCoordination
import GranarySQLite

/// The files with external data that one transaction makes, and those that it makes superfluous (sqlite-layout §8).
///
/// A file is whole and synced before the row that names it is written, and is removed when the transaction fails. A file
/// that no row names any more is removed after the commit; several rows may name one. A crash in between leaves a file too
/// many, never one too few, and ``ExternalFilesLog`` names it for the next transaction.
final class ExternalFiles {
    private struct Made {
        let name: String
        let table: String
        let column: String
        let key: Int64
    }

    private let store: SQLiteStore
    private lazy var folder = ExternalFolder(ofStore: store.path, databasePath: store.connection.path)
    /// Whether a file was to be written, whatever came of it.
    private var usesFolder = false
    private var made: [Made] = []
    private var superfluous: [String] = []
    private lazy var log = ExternalFilesLog(storePath: store.path)

    /// The row that is being written, and how many files were made before it.
    private var row: (key: Int64, columns: StoreSQL.ExternalColumns, start: Int)?
    /// The files that the row names in the store and will not name any more, by their slots.
    private var named: [Int: String] = [:]

    init(store: SQLiteStore) { self.store = store }

    // MARK: Rows

    /// Before a row is written or deleted.
    ///
    /// - Parameters:
    ///   - columns: nil for an entity without external storage.
    ///   - isNew: whether the store does not have the row yet.
    func beginRow(_ key: Int64, _ columns: StoreSQL.ExternalColumns?, isNew: Bool) throws {
        if row != nil { abandonRow() }
        guard let columns else { return }
        row = (key, columns, made.count)
        if !isNew { named = try namedFiles(key, columns) }
    }

    /// Binds the value of a row's column: the name of its file for a long one.
    func bind(
        _ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ field: StoreSQL.Field, to statement: Statement
    ) throws {
        guard let reference = try reference(to: cell, bytes, field) else {
            return try statement.bind(cell, bytes, isTagged: true, at: field.index)
        }
        try reference.withUnsafeBufferPointer { try statement.bindBlob($0, at: field.index) }
    }

    /// The blob that names the file of a long value, which is written if no file has it; nil for a value that lies in its column.
    func reference(
        to cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ field: StoreSQL.Field
    ) throws -> [UInt8]? {
        guard let row, case .blob(let start, let count) = cell else { return nil }
        // A cell and its bytes are made together.
        let value = UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
        let name: String
        if let old = named[field.slot], ExternalData.isFile(old, ofStore: store.path, equalTo: value) {
            name = old
            named[field.slot] = nil
        } else if value.count > ExternalData.inlineLimit {
            name = UUID().uuidString
            usesFolder = true
            try log.add(name)
            try folder.add(value, as: name)
            made.append(Made(name: name, table: row.columns.table, column: row.columns.name(of: field), key: row.key))
            if !store.isPublished { store.unpublishedFiles.append(name) }
        } else {
            return nil
        }
        return ExternalData.blob(naming: name)
    }

    /// After the row's statement has run.
    func endRow() {
        guard row != nil else { return }
        superfluous += named.values
        named = [:]
        row = nil
    }

    /// The row's statement failed, and who writes goes on all the same.
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

    /// Call before the commit, when all rows are written. Syncs the folder, so that the files are on disk before the rows, and
    /// keeps in the list of files to remove only those that no row names.
    func prepareCommit() throws {
        abandonRow()
        if !superfluous.isEmpty {
            superfluous = Set(superfluous).subtracting(try SQLiteStore.namedFiles(store.connection)).sorted()
        }
        for name in superfluous { try log.add(name) }
        if !made.isEmpty { folder.sync() }
    }

    /// After the commit.
    func commit() {
        // Until a new store is published, a killed process must leave none of its files, so the log stays.
        if !store.isPublished { store.unpublishedLogs.append(log) }
        defer { if store.isPublished { log.remove() } }
        guard !superfluous.isEmpty else { return }
        PublishedFile.syncCommit(of: store.connection.path)
        for name in superfluous { folder.remove(name) }
    }

    /// After a transaction that failed. What the store names all the same stays: an error of the disk may hide that the
    /// commit has come through.
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
            try ExternalData.blob(naming: file.name).withUnsafeBufferPointer { try statement.bindBlob($0, at: 2) }
            return try statement.step()
        }
        // Where it cannot be told, a file too many does no harm.
        return found ?? true
    }
}
