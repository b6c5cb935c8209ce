package import GranaryBase
package import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Sets the journal mode and `synchronous`; those of an unpublished store when it is published.
    ///
    /// - Throws: ``GranaryError``: `busy` if another connection has the store open; `inputOutput` if the file system
    ///   cannot have the mode, such as WAL without shared memory.
    package func setJournal(
        _ mode: PersistentStoreDescription.JournalMode?, _ synchronous: PersistentStoreDescription.Synchronous?
    ) throws(GranaryError) {
        journal = JournalSettings(mode: mode, synchronous: synchronous)
        guard isPublished else { return }
        try converting { try applyJournal() }
    }

    func applyJournal() throws {
        if let mode = journal.mode, try connection.text(pragma: "journal_mode") != mode.rawValue {
            guard try connection.text(pragma: "journal_mode = \(mode.rawValue)") == mode.rawValue else {
                throw GranaryError(
                    .inputOutput, "\(path): SQLite cannot set the journal mode \(mode.rawValue) in this folder")
            }
        }
        if let synchronous = journal.synchronous {
            try connection.execute("PRAGMA synchronous = \(synchronous.rawValue)")
        }
    }
}
