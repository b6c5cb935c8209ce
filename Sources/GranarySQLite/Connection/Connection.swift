internal import CSQLite

/// One connection to an SQLite database file.
///
/// It belongs to one thread at a time and is therefore not `Sendable`; only its ``interruptHandle`` may be used
/// from elsewhere. The file may come from a stranger: opening it turns off what a hostile schema could use
/// (`Connection+Hardening.swift`), and registers the functions that Core Data's own triggers call.
package final class Connection {
    /// How the file is reached.
    enum Access: Sendable {
        /// As the mode says.
        case byMode
        /// For writing, though no statement may write.
        case queryOnly
        /// As a file that nobody ever changes.
        case immutable
        /// A copy that nobody else has.
        case copy
        /// There is no file.
        case inMemory
    }

    /// What the file may be opened for.
    package enum Mode: Sendable, Hashable {
        /// The file must exist and is not written.
        case readOnly
        /// The file must exist and be writable.
        case readWrite
        /// As `readWrite`, and the file is created where it is missing.
        case create
    }

    /// Stops a running statement from another thread.
    package let interruptHandle: InterruptHandle
    private(set) var origin: SQLiteError.Origin
    let access: Access
    /// What is read in the file's place; nil for the file itself.
    var copy: FileCopy?
    /// Why a copy is read in the file's place; nil for the file itself.
    package internal(set) var snapshotNote: String?
    /// Whether the file has changes that the copy does not show.
    package internal(set) var isSnapshotOlder = false
    /// Nil once closed.
    private var handle: OpaquePointer?
    /// The load that keeps the file closed; nil for none.
    var load: ActiveLoad?
    /// ``totalChanges`` when the transaction began.
    var changesBefore: Int64 = 0
    /// The tables that the transaction has loaded.
    var loadedTables: [String] = []
    /// Prepared statements that nobody uses at the moment, by their SQL.
    var idleStatements: [String: Statement] = [:]

    package var path: String { origin.path }
    package var mode: Mode { origin.mode }

    /// Opens a database file and reads its schema, so that what is no database is refused here.
    ///
    /// The path is a plain path, whatever its characters: not a URI, not a special name. Reading a file that is used with
    /// a write-ahead log makes files beside it; ``reading(path:busyTimeout:)`` leaves everything as it is.
    /// - Parameter busyTimeout: how long a statement waits for the locks of another connection.
    /// - Throws: for a missing file, a folder, a pipe, a file that may not be written, one that is no database or
    ///   damaged, and one that another process has locked for longer than `busyTimeout`.
    package convenience init(path: String, mode: Mode, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        let origin = SQLiteError.Origin(path: path, mode: mode)
        let name = try FileName.checked(path, origin: origin)
        try self.init(name: name, origin: origin, busyTimeout: busyTimeout, access: .byMode)
    }

    /// A new, empty database in memory.
    package static func inMemory() throws(SQLiteError) -> Connection {
        let origin = SQLiteError.Origin(path: "in memory", mode: .create)
        return try Connection(name: ":memory:", origin: origin, busyTimeout: .zero, access: .inMemory)
    }

    init(
        name: String, origin: SQLiteError.Origin, busyTimeout: Duration, access: Access
    ) throws(SQLiteError) {
        let flags =
            switch (access, origin.mode) {
            case (.queryOnly, _), (.copy, _), (.byMode, .readWrite): SQLITE_OPEN_READWRITE
            case (.immutable, _): SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case (.byMode, .readOnly): SQLITE_OPEN_READONLY
            case (.byMode, .create), (.inMemory, _): SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let database = try Self.open(name, flags, origin)
        var origin = origin
        // Before the first lock. A file that never changes is read without locks.
        if access == .byMode || access == .queryOnly { origin.file = FileIdentity(path: name).map { OpenFile($0) } }
        self.origin = origin
        self.access = access
        handle = database
        interruptHandle = InterruptHandle(database)
        // From here on a throw runs deinit, which closes the handle.
        try check(sqlite3_busy_timeout(database, busyTimeout.milliseconds))
        // SQLite opens a write-protected file for reading instead, and says so only here.
        if origin.mode != .readOnly, sqlite3_db_readonly(database, "main") == 1 {
            throw SQLiteError(.readOnly, "the file is write-protected", origin: origin)
        }
        try harden(database)
        if access == .queryOnly || access == .copy { try execute("PRAGMA query_only=ON") }
        try registerCoreDataFunctions(in: database)
        // SQLite reads the file at the first statement only.
        try execute("SELECT 1 FROM sqlite_master LIMIT 1")
        // A file in the making is read by nobody.
        if origin.mode == .readWrite { try raiseSpillLimit() }
    }

    deinit {
        idleStatements.removeAll()
        interruptHandle.disconnect()
        if let handle { keepLog(handle) }
        // Waits for statements that outlive the connection, so that they stay safe to use and to finalise.
        sqlite3_close_v2(handle)
    }

    /// Closes the file now, and says what `deinit` could not: that statements are still in use.
    ///
    /// Every later call on the connection throws.
    package func close() throws(SQLiteError) {
        let database = try open
        idleStatements.removeAll()
        interruptHandle.disconnect()
        keepLog(database)
        let code = sqlite3_close(database)
        guard code == SQLITE_OK else {
            interruptHandle.connect(database)
            throw SQLiteError(code, of: database, origin: origin)
        }
        handle = nil
        origin.file = nil
        copy = nil
    }

    /// A reader that is the last to close does not move into the file what others have written to the log. Closing
    /// removes an empty one.
    private func keepLog(_ database: OpaquePointer) {
        guard access == .queryOnly, let log = FileStatus(path: FileName.withoutLinks(path) + "-wal"), log.size > 0
        else {
            return
        }
        _ = granary_db_config_flag(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    private static func open(_ name: String, _ flags: Int32, _ origin: SQLiteError.Origin) throws(SQLiteError)
        -> OpaquePointer
    {
        var database: OpaquePointer?
        let code = sqlite3_open_v2(name, &database, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let database else {
            let error = SQLiteError(code, of: database, origin: origin)
            sqlite3_close_v2(database)
            throw error
        }
        return database
    }

    /// Opens the file again, which ``close()`` has closed.
    func reopen() throws(SQLiteError) {
        let database = try Self.open(try FileName.checked(path, origin: origin), SQLITE_OPEN_READWRITE, origin)
        handle = database
        interruptHandle.connect(database)
        origin.file = FileIdentity(path: path).map { OpenFile($0) }
        try harden(database)
        try registerCoreDataFunctions(in: database)
    }

    /// The handle, as long as the connection is open. It ends a load.
    var open: OpaquePointer {
        get throws(SQLiteError) {
            if load != nil { try finishLoading() }
            guard let handle else { throw SQLiteError(.misuse, "the connection is closed", origin: origin) }
            return handle
        }
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed, those of triggers left out.
    package var changes: Int64 { handle.map { sqlite3_changes64($0) } ?? 0 }

    package var isInTransaction: Bool { load != nil || handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Rows that all statements together have changed.
    var totalChanges: Int64 { handle.map { sqlite3_total_changes64($0) } ?? 0 }

    /// Whether there is a statement that is not finalised.
    var hasStatements: Bool { handle.map { sqlite3_next_stmt($0, nil) != nil } ?? false }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle, origin: origin) }
    }
}

extension Duration {
    /// Whole milliseconds, within what SQLite takes.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : Int32.max }
        return Int32(clamping: max(0, whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue))
    }
}

extension Connection {
    /// Runs `body` with the schema's triggers turned off, so that rows come to be as they are given. Temporary triggers
    /// still fire (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html).
    package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
        let database = try open
        try check(granary_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0))
        defer { _ = granary_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1) }
        return try body()
    }
}
