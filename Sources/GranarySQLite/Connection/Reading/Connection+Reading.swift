import Foundation
import GranaryBase

/// Reading a database file without changing it.
extension Connection {
    private static let readingAttempts = 5

    /// Opens a database file for reading, and changes neither the file nor the files beside it. This includes files
    /// with a write-ahead log, on a read-only volume, partly written by a killed process, or locked by another process
    /// for longer than `busyTimeout`. If necessary, a copy in a temporary folder is read (``snapshotNote``).
    ///
    /// While the connection is open, SQLite's files of an empty log (`-wal`, `-shm`) can exist beside the original.
    /// - Parameter once: whether the present state suffices, as for a command that reads and exits. A small idle store
    ///   in WAL mode is then copied, because the log files beside the original would remain if the process were killed.
    /// - Throws: as ``init(path:mode:busyTimeout:)``; `busy` if this process has the file locked, or another process
    ///   writes continuously; `inputOutput` if a copy is necessary and cannot be made.
    package static func reading(
        path: String, busyTimeout: Duration = .seconds(5), once: Bool = false
    ) throws(SQLiteError) -> Connection {
        try reading(path: path, busyTimeout: busyTimeout, once: once, permission: WritePermission.of)
    }

    static func reading(
        path: String, busyTimeout: Duration, once: Bool = false, permission: (String) -> WritePermission
    ) throws(SQLiteError) -> Connection {
        let origin = SQLiteError.Origin(path: path, mode: .readOnly)
        let name = try FileName.checked(path, origin: origin)
        let file = FileName.withoutLinks(path)
        var refusal: SQLiteError?
        for attempt in 0..<readingAttempts {
            if attempt > 0 { usleep(20_000) }
            guard file.hasPrefix("/"), let state = try DatabaseState(file, origin: origin) else {
                // SQLite reports the error.
                return try Connection(name: name, origin: origin, busyTimeout: busyTimeout, access: .byMode)
            }
            var way = state.way(permission, once: once)
            if let refusal {
                if state.isOurs { throw refusal }
                if case .copy = way {} else { way = .copy(refusal.reasonToCopy) }
            }
            if case .copy(let reason) = way {
                do throws(SQLiteError) {
                    guard let copy = try FileCopy.make(of: file, origin: origin) else { continue }
                    return try Connection(
                        copy: copy, origin: origin, reason: reason)
                } catch {
                    // Without a reason for the copy, the file itself can be read.
                    guard reason == nil, error.code == .inputOutput else { throw error }
                    way = .queryOnly
                }
            }
            do throws(SQLiteError) {
                return try Connection(
                    name: way == .immutable ? FileName.immutable(file) : name, origin: origin,
                    busyTimeout: busyTimeout, access: way.access)
            } catch {
                guard error.isInTheWay, !state.isOurs else { throw error }
                refusal = error
            }
        }
        throw refusal ?? SQLiteError(.busy, "another process writes to it continuously", origin: origin)
    }

    /// Opens another connection to a file with a write-ahead log that this process has open for writing.
    ///
    /// - Throws: as ``init(path:mode:busyTimeout:)``.
    package static func besideWriter(path: String, busyTimeout: Duration) throws(SQLiteError) -> Connection {
        let origin = SQLiteError.Origin(path: path, mode: .readOnly)
        let name = try FileName.checked(path, origin: origin)
        return try Connection(name: name, origin: origin, busyTimeout: busyTimeout, access: .queryOnly)
    }

    private convenience init(copy: FileCopy, origin: SQLiteError.Origin, reason: CopyReason?) throws(SQLiteError) {
        try self.init(name: copy.path, origin: origin, busyTimeout: .zero, access: .copy)
        copy.complete()
        self.copy = copy
        snapshotNote = reason.map { "read from a temporary copy: \($0.rawValue)" }
        isSnapshotOlder = reason?.isOlder == true
    }

    /// The journal mode of the file. SQLite reports `delete` for every immutable file.
    package func journalMode() throws(SQLiteError) -> String? {
        try access == .immutable ? "wal" : text(pragma: "journal_mode")
    }

    /// The size in bytes of the file or of its copy.
    package var fileLength: Int64? { copy?.length ?? FileStatus(path: path)?.size }
}

extension SQLiteError {
    /// Whether a copy may be readable despite the error.
    fileprivate var isInTheWay: Bool { [.busy, .readOnly, .cannotOpen].contains(code) }

    fileprivate var reasonToCopy: CopyReason { code == .busy ? .locked : .logContent }
}
