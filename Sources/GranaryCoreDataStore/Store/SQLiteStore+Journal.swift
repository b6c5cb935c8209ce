import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Sets the journal mode and `synchronous`; those of an unpublished store when it is published.
    ///
    /// - Throws: ``GranaryError`` with code `busy` if another program has the store open, so that its journal mode
    ///   cannot change.
    func setJournal(
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
                    .busy,
                    "\(path): another program has the store open, so its journal mode cannot become \(mode.rawValue)")
            }
        }
        if let synchronous = journal.synchronous {
            try connection.execute("PRAGMA synchronous = \(synchronous.rawValue)")
        }
    }
}
