import Foundation
import GranaryBase

/// A database file and its companions with content. The index of the log (`-shm`) has none.
struct FileSet: Equatable {
    let database: FileStatus
    let journal: FileStatus?
    let log: FileStatus?

    /// Returns nil if the database file is missing.
    ///
    /// - Throws: if a companion is not a regular file, because SQLite would wait for a pipe.
    init?(_ file: String, origin: SQLiteError.Origin) throws(SQLiteError) {
        guard let database = FileStatus(path: file) else { return nil }
        self.database = database
        journal = FileStatus(path: file + "-journal")
        log = FileStatus(path: file + "-wal")
        let companions: [(String, FileStatus?)] = [("-journal", journal), ("-wal", log)]
        for (suffix, status) in companions {
            guard let status, !status.isRegular else { continue }
            throw SQLiteError(.cannotOpen, "\(file)\(suffix) is not a regular file", origin: origin)
        }
    }

    var hasJournalContent: Bool { (journal?.size ?? 0) > 0 }
    /// Whether SQLite reads through a write-ahead log, whatever the header says: it does if the file of the log exists
    /// (`pagerOpenWalIfPresent` in pager.c). It creates the file if the header specifies a log.
    var hasLog: Bool { log != nil }
    var hasLogContent: Bool { (log?.size ?? 0) > 0 }
    var isFresh: Bool {
        database.isFresh || journal?.isFresh == true || log?.isFresh == true
    }
}
