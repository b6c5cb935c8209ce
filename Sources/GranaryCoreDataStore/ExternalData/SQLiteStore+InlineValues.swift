import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// The largest value, in bytes, that a row can contain: SQLite's limit of a row, less room for other columns.
    private static let largestInlineValue = 900_000_000

    /// Moves all values in external files into their rows, so that the store is one file. Values of any size can be
    /// read inline (docs/core-data/sqlite-layout.md#external-storage).
    ///
    /// - Throws: ``GranaryError``: `refused` (`limit.exceeded`) for a value that no row can contain; `unreadable` for a
    ///   missing file; `inputOutput`. The store is then unchanged.
    func moveExternalValuesInline() throws {
        let columns = externalColumns
        guard !columns.isEmpty else { return }
        let log = ExternalFilesLog(storePath: path)
        let folder = ExternalFolder(ofStore: path, databasePath: connection.path)
        var moved: Set<String> = []
        // This does not change an object, so no trigger may update a derived date.
        try connection.withoutTriggers {
            try connection.transaction(.immediate) {
                for column in columns {
                    for row in try namedFiles(column.table, column.name) {
                        let source = try ByteSource(path: ExternalData.file(row.file, ofStore: path))
                        let value = try source.readAll(limit: RowBatch.fileLimit)
                        guard value.count <= Self.largestInlineValue else {
                            throw GranaryError(
                                Diagnostic(
                                    .limitExceeded,
                                    "\(path): a value of \(value.count) bytes cannot be kept in the store, whose rows "
                                        + "have at most \(Self.largestInlineValue) bytes; ship the external file"))
                        }
                        if moved.insert(row.file).inserted { try log.add(row.file) }
                        try connection.withStatement(
                            "UPDATE \(column.table) SET \(column.name) = ?2 WHERE Z_PK = ?1"
                        ) { statement in
                            try statement.bind(row.key, at: 1)
                            try statement.bind(blob: [ExternalData.inlineTag] + value, at: 2)
                            try statement.run()
                        }
                    }
                }
            }
        }
        guard !moved.isEmpty else { return }
        PublishedFile.syncCommit(of: connection.path)
        // Another store with the same support folder can have rows that name the files.
        guard !StoreBelongings.isSupportFolderShared(ofStore: path) else { return }
        for name in moved { folder.remove(name) }
        // rmdir removes empty folders only.
        rmdir(folder.path)
        rmdir(Self.supportFolder(ofStore: path))
    }

    /// The columns whose values can be in external files, each once.
    var externalColumns: [(table: String, name: String)] {
        var seen: Set<String> = []
        return sql.entities.compactMap(\.external).flatMap { external in
            external.names.map { (table: external.table, name: $0) }
        }.filter { seen.insert($0.table + "." + $0.name).inserted }
    }
}
