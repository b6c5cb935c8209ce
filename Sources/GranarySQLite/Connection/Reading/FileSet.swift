/// A database file and what of its companions holds content of it. The index of the log (`-shm`) holds none.
struct FileSet: Equatable {
    let database: FileStatus
    let journal: FileStatus?
    let log: FileStatus?

    /// Nil where the database file is not there.
    ///
    /// - Throws: where a companion is not a regular file: SQLite would wait for a pipe.
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
    var hasLogContent: Bool { (log?.size ?? 0) > 0 }
    var isFresh: Bool {
        database.isFresh || journal?.isFresh == true || log?.isFresh == true
    }
}
