import Foundation
import GranaryBase

/// A method to read a database file without changing the file or its folder.
enum ReadingWay: Equatable {
    /// Read the file in read-only mode.
    case plain
    /// Open the file for writing with `query_only`, so that SQLite removes the empty log files that it creates.
    case queryOnly
    /// Read the file as immutable, without locks.
    case immutable
    /// Read a copy of the file with its journal and log. The reason is nil if the file itself could be read too.
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

/// The state of a database file and its companion files, and its use by processes, at one moment.
struct DatabaseState {
    let file: String
    let files: FileSet
    /// Whether a connection of this process has the file open. Locks of this process cannot be queried, but another
    /// connection of the process can read safely, because SQLite coordinates them.
    let isOurs: Bool
    /// Whether the header specifies a write-ahead log.
    private(set) var isWriteAhead = false
    /// Whether a running process uses the log.
    private(set) var isLogUsed = false
    /// Whether a process is writing or has an exclusive lock.
    private(set) var isWritten = false
    /// Whether a killed process has left a journal with which its partial transaction can be undone.
    private(set) var hasHotJournal = false
    private let hasLogIndex: Bool

    /// - Parameter file: an absolute path without links.
    /// - Returns: nil if the file is missing or cannot be read.
    init?(_ file: String, origin: SQLiteError.Origin) throws(SQLiteError) {
        guard let files = try FileSet(file, origin: origin) else { return nil }
        self.file = file
        self.files = files
        let identity = files.database.identity
        isOurs = OpenFile.isOpen(identity)
        hasLogIndex = FileStatus(path: file + "-shm") != nil
        if isOurs { return }
        guard let database = SideDescriptor(file, of: identity) else { return nil }
        // Bytes 18 and 19 are the versions of the format to write and to read
        // (https://www.sqlite.org/fileformat2.html).
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
            // A finished journal begins with a zero. Beside an empty file, SQLite removes the journal.
            hasHotJournal = first.map { $0 != 0 } ?? false || files.database.size == 0
        }
    }

    /// The maximum size of a file that is copied without necessity.
    private static let cheapSize: Int64 = 64 << 20

    /// Returns the method to read the file.
    ///
    /// - Parameter once: whether the present state suffices.
    func way(_ permission: (String) -> WritePermission, once: Bool) -> ReadingWay {
        if isOurs { return hasLogIndex && permission(file) == .byUs ? .queryOnly : .plain }
        if hasHotJournal { return .copy(.hotJournal) }
        guard isWriteAhead || files.hasLog else { return .plain }
        if isLogUsed { return permission(file) == .byUs ? .queryOnly : .plain }
        if files.hasLogContent { return .copy(.logContent) }
        switch permission(file) {
        case .byNobody: return .immutable
        // If log files exist already, SQLite would remove them.
        case .byUs where files.log == nil && !hasLogIndex:
            return once && files.database.size <= Self.cheapSize ? .copy(nil) : .queryOnly
        case .byUs: return .copy(.logFiles)
        case .byOthers: return .copy(.logInProtectedFolder)
        }
    }
}
