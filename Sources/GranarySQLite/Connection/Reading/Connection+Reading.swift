#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reading a database file that stays as it is, byte for byte.
extension Connection {
    private static let readingAttempts = 5

    /// Opens a database file for reading, and changes neither it nor what lies beside it: also where it has a write-ahead
    /// log, lies on a read-only medium, was left half written by a process that died, or is locked by another process
    /// for longer than `busyTimeout`. Where needed a copy in a temporary folder is read: ``snapshotNote``.
    ///
    /// While it is open, SQLite's files of an empty log (`-wal`, `-shm`) may lie beside the original.
    /// - Parameter once: whether what is there now is enough, as for a command that reads and ends. An idle store in WAL
    ///   mode that is not large is copied then: beside the original those files would stay if the process were killed.
    /// - Throws: as ``init(path:mode:busyTimeout:)``; `busy` where this process itself, or one that writes all the time, is in
    ///   the way; `inputOutput` where a copy is needed and cannot be made.
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
                // SQLite says what is wrong.
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
                    // Without a reason it can be read in its place as well.
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
        throw refusal ?? SQLiteError(.busy, "it is written to all the time", origin: origin)
    }

    private convenience init(copy: FileCopy, origin: SQLiteError.Origin, reason: CopyReason?) throws(SQLiteError) {
        try self.init(name: copy.path, origin: origin, busyTimeout: .zero, access: .copy)
        copy.settle()
        self.copy = copy
        snapshotNote = reason.map { "read from a copy: \($0.rawValue)" }
        isSnapshotOlder = reason?.isOlder == true
    }

    /// The journal mode of the file. SQLite itself says `delete` of every file that is read as one that never changes.
    package func journalMode() throws(SQLiteError) -> String? {
        try access == .immutable ? "wal" : text(pragma: "journal_mode")
    }

    /// How many bytes the file has, or the copy that is read.
    package var fileLength: Int64? { copy?.length ?? FileStatus(path: path)?.size }
}

extension SQLiteError {
    /// Whether it may be that a copy can be read.
    fileprivate var isInTheWay: Bool { [.busy, .readOnly, .cannotOpen].contains(code) }

    fileprivate var reasonToCopy: CopyReason { code == .busy ? .locked : .logContent }
}
