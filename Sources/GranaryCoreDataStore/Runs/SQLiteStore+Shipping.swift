package import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Prepares a store for shipping: one file without a journal and without free pages, checked and synced. The same
    /// rows give the same bytes.
    ///
    /// A store that this object created gets a UUID derived from its rows, unless it was created with a given UUID.
    /// Other stores keep their UUID. If the UUID changes, object IDs must be fetched again. An unpublished store can be
    /// shipped before it is published.
    ///
    /// - Parameters:
    ///   - identifier: the new UUID of the store; nil for the rule above.
    ///   - inlinesExternalData: whether values in external files are moved into their rows.
    /// - Throws: ``GranaryError``: `busy` while other connections use the store; `refused` if SQLite finds damage;
    ///   `usage` if the store is read-only or in a transaction; `inputOutput`. The store stays usable after an error.
    package func ship(identifier: UUID? = nil, inlinesExternalData: Bool = false) throws(GranaryError) {
        guard !isReadOnly, !connection.isInTransaction else {
            throw GranaryError(
                .usage, "\(path): a store can only be shipped if it is open for writing and has no open transaction")
        }
        try converting {
            // The journal of an unpublished store is in memory.
            if isPublished { try leaveLog() }
            if inlinesExternalData { try moveExternalValuesInline() }
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

    /// Why the store is not ready to ship, as sentences without a period; empty if ``ship(identifier:inlinesExternalData:)``
    /// would only write the same store again.
    ///
    /// - Parameters:
    ///   - identifier: nil for any UUID.
    ///   - inlinesExternalData: whether values in external files are a reason.
    package func reasonsToShip(identifier: UUID?, inlinesExternalData: Bool) throws(GranaryError) -> [String] {
        var reasons: [String] = []
        if let identifier, identifier.uuidString != metadata.identifier {
            reasons.append("its UUID is not \(identifier.uuidString)")
        }
        if try converting({ try connection.journalMode() }) == "wal" { reasons.append("its journal mode is WAL") }
        if metadata.withoutRunDates.entries != metadata.entries { reasons.append("its ledger has the dates of runs") }
        let files = inlinesExternalData ? try externalFileNames().count : 0
        if files > 0 {
            reasons.append("\(CountText.count(files, "value")) \(files == 1 ? "is" : "are") in external files")
        }
        return reasons
    }

    /// The names of the external files that the rows name.
    package func externalFileNames() throws(GranaryError) -> [String] {
        try converting { try Self.namedFiles(connection).sorted() }
    }

    /// Moves the write-ahead log into the file and ends WAL mode.
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
            let current = try StoreMetadata.read(connection, objects)
            var changed = current.withoutRunDates
            if changed.entries != current.entries { try changed.write(to: connection, objects) }
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

    /// Removes free pages. The settings auto_vacuum and page_size are not changed.
    private func vacuum() throws {
        // With secure_delete, the new pages that VACUUM writes have zeros in their unused space.
        let level = try connection.integer(pragma: "secure_delete") ?? 0
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = \(level == 2 ? "FAST" : level == 0 ? "OFF" : "ON")") }
        try connection.execute("VACUUM")
        // VACUUM increments the schema version.
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
