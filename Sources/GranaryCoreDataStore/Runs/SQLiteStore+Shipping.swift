package import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Makes a store fit to be shipped: one file without a journal, without free pages, checked and synced. The same rows
    /// give the same bytes.
    ///
    /// A store that this object has made gets a UUID that follows from its rows, unless it was made with one. Another one
    /// keeps its own. What holds object IDs with the old UUID has to fetch them again. A store in the making may be shipped
    /// too, and is then published.
    ///
    /// - Parameter identifier: the UUID that the store gets in any case.
    /// - Throws: ``GranaryError``: `busy` while others use the store; `refused` when SQLite finds it damaged; `usage` when it
    ///   is read-only, or in a transaction; `inputOutput`. A file that is not fit to be shipped is whole all the same.
    package func ship(identifier: UUID? = nil) throws(GranaryError) {
        guard !isReadOnly, !connection.isInTransaction else {
            throw GranaryError(.usage, "\(path): only a store that may be written, and is at rest, can be shipped")
        }
        try converting {
            // A store in the making has its journal in memory.
            if isPublished { try leaveLog() }
            if isOwnMaking { try nameExternalFilesByContent() }
            try setIdentifier(identifier?.uuidString)
            try vacuum()
            try checkIntegrity()
            guard isPublished else { return }
            let file = ArchiveFile.resolved(path)
            for suffix in PublishedFile.companionSuffixes where PublishedFile.isTaken(file + suffix) {
                throw GranaryError(.busy, "\(path): \(file + suffix) is still there: the store is in use")
            }
            try PublishedFile.sync(file, for: path)
            PublishedFile.syncFolder(of: file)
        }
    }

    /// Moves a write-ahead log into the file, for good.
    private func leaveLog() throws {
        try connection.checkpoint()
        guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
            throw GranaryError(.busy, "\(path): the store is in use; its write-ahead log cannot be closed")
        }
    }

    private func setIdentifier(_ identifier: String?) throws {
        try connection.transaction(.immediate) {
            let objects = try connection.schema()
            try StoreMetadata.checkNoTrigger(connection, objects)
            var changed = try StoreMetadata.read(connection, objects)
            if let identifier {
                changed.identifier = identifier
            } else if derivesIdentifier {
                changed.identifier = try ContentIdentifier.derive(connection)
            }
            try connection.withStatement("UPDATE Z_METADATA SET Z_UUID = ? WHERE Z_VERSION = 1") { statement in
                try statement.bind(changed.identifier, at: 1)
                try statement.run()
            }
            pendingMetadata = changed
        }
        if let pendingMetadata { metadata = pendingMetadata }
        pendingMetadata = nil
    }

    /// The level of auto_vacuum and the size of pages stay.
    private func vacuum() throws {
        // The database that VACUUM builds does as this one: what no cell covers is zero in each page.
        let level = try connection.integer(pragma: "secure_delete") ?? 0
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = \(level == 2 ? "FAST" : level == 0 ? "OFF" : "ON")") }
        try connection.execute("VACUUM")
        // It counts as a change of the schema.
        if checkedSchema != nil { checkedSchema = try connection.integer(pragma: "schema_version") }
    }

    private func checkIntegrity() throws {
        let check = try connection.prepare("PRAGMA integrity_check(20)")
        var problems: [Diagnostic] = []
        while try check.step() {
            guard let line = try check.string(at: 0), line != "ok" else { continue }
            problems.append(Diagnostic(.storeCorrupt, "SQLite: \(line)"))
        }
        guard problems.isEmpty else {
            throw GranaryError(.refused, "\(path): the store is damaged", diagnostics: problems)
        }
    }
}
