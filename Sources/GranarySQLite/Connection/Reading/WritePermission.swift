#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who may write a file and make others beside it, as far as the file system tells.
enum WritePermission: Sendable {
    case byUs
    case byOthers
    /// Nobody, the system's administrator aside.
    case byNobody

    /// - Parameter file: an absolute path without links.
    static func of(_ file: String) -> WritePermission {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.count > 1 ? parts.joined(separator: "/") : "/"
        // ST_RDONLY: a medium that is mounted for reading only.
        var medium = statvfs()
        if statvfs(file, &medium) == 0, medium.f_flag & 1 != 0 { return .byNobody }
        var (inner, outer) = (stat(), stat())
        if stat(file, &inner) == 0, stat(folder, &outer) == 0, (inner.st_mode | outer.st_mode) & 0o222 == 0 {
            return .byNobody
        }
        return access(file, W_OK) == 0 && access(folder, W_OK) == 0 ? .byUs : .byOthers
    }
}

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
