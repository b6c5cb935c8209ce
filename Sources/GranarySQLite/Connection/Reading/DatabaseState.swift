#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a database file is read so that neither it nor its folder is changed.
enum ReadingWay: Equatable {
    /// As any reader does.
    case plain
    /// With the right to write, so that SQLite removes the files of an empty log that it makes while it reads; no
    /// statement writes.
    case queryOnly
    /// As a file that nobody ever changes, without any lock.
    case immutable
    /// A copy of it, with its journal and its log; nil where it could be read in its place as well.
    case copy(CopyReason?)

    var access: Connection.Access {
        switch self {
        case .plain: .byMode
        case .queryOnly: .queryOnly
        case .immutable: .immutable
        case .copy: .copy
        }
    }
}

/// Why a database file has to be read from a copy.
enum CopyReason: String, Equatable {
    case hotJournal = "a process died while it wrote to the store, and this is what was before"
    case locked = "the store is locked by another process, and this is what was before its transaction"
    case logContent = "its write-ahead log can only be read together with writing"
    case logFiles = "an earlier process has left files of a write-ahead log beside it"
    case logInProtectedFolder = "it has a write-ahead log, and its folder may not be written"

    /// Whether the file has changes that the copy does not show.
    var isOlder: Bool { self == .hotJournal || self == .locked }
}

/// What lies at a database file's name, and who uses it, at a moment.
struct DatabaseState {
    let file: String
    let files: FileSet
    /// Whether a connection of this process has it open. Its locks cannot be seen then, and the file is not half
    /// written by another process: a connection beside it settles with it.
    let isOurs: Bool
    /// Whether its header asks for a write-ahead log.
    private(set) var isWriteAhead = false
    /// Whether a process that lives uses its log.
    private(set) var isLogUsed = false
    /// Whether a process has begun to write, or has it for itself.
    private(set) var isWritten = false
    /// Whether a process that died has left a journal that undoes what it had half written.
    private(set) var hasHotJournal = false
    private let hasLogIndex: Bool

    /// - Parameter file: an absolute path without links.
    /// - Returns: nil where the file is not there or cannot be read.
    init?(_ file: String, origin: SQLiteError.Origin) throws(SQLiteError) {
        guard let files = try FileSet(file, origin: origin) else { return nil }
        self.file = file
        self.files = files
        let identity = files.database.identity
        isOurs = OpenFile.isOpen(identity)
        hasLogIndex = FileStatus(path: file + "-shm") != nil
        if isOurs { return }
        guard let database = SideDescriptor(file, of: identity) else { return nil }
        // Bytes 18 and 19 are the versions of the format to write and to read (https://www.sqlite.org/fileformat2.html).
        let header = database.bytes(at: 0, count: 20)
        isWriteAhead = header.starts(with: Array("SQLite format 3\0".utf8)) && header.count == 20 && header[19] == 2
        isWritten = database.isLocked(.database, against: F_RDLCK)
        let isExclusive =
            isWritten
            && (database.isLocked(.shared, against: F_RDLCK) || database.isLocked(.pending, against: F_RDLCK))
        let index = SideDescriptor(file + "-shm", of: identity)
        isLogUsed = isExclusive || index?.isLocked(.logUsers, against: F_WRLCK) == true
        if files.hasJournalContent, !isWritten {
            let journal = SideDescriptor(file + "-journal", of: identity)
            let first = journal?.bytes(at: 0, count: 1).first
            // A journal that is done with begins with zeros. SQLite removes one beside an empty file.
            hasHotJournal = first.map { $0 != 0 } ?? false || files.database.size == 0
        }
    }

    /// Up to this many bytes a copy is cheap.
    private static let cheapSize: Int64 = 64 << 20

    /// - Parameter once: whether what is there now is enough.
    func way(_ permission: (String) -> WritePermission, once: Bool) -> ReadingWay {
        if isOurs { return hasLogIndex && permission(file) == .byUs ? .queryOnly : .plain }
        if hasHotJournal { return .copy(.hotJournal) }
        guard isWriteAhead || files.hasLogContent else { return .plain }
        if isLogUsed { return permission(file) == .byUs ? .queryOnly : .plain }
        if files.hasLogContent { return .copy(.logContent) }
        switch permission(file) {
        case .byNobody: return .immutable
        // SQLite would remove what is there already.
        case .byUs where files.log == nil && !hasLogIndex:
            return once && files.database.size <= Self.cheapSize ? .copy(nil) : .queryOnly
        case .byUs: return .copy(.logFiles)
        case .byOthers: return .copy(.logInProtectedFolder)
        }
    }
}
