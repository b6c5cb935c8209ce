internal import GranaryCSQLite
internal import GranaryBase

/// One connection to an SQLite database file.
///
/// It is used by one thread at a time and is not `Sendable`. Statements end with the ``Cancellation`` of their thread.
/// The file can be untrusted: opening it disables the features that a hostile schema could use (``harden(_:)``), and
/// registers the functions that Core Data's triggers call.
package final class Connection {
    /// How the file is opened.
    enum Access: Sendable {
        /// According to the mode.
        case byMode
        /// For writing, but statements cannot write.
        case queryOnly
        /// As a file that no process changes, without locks.
        case immutable
        /// A private copy of the file.
        case copy
        /// A database in memory, without a file.
        case inMemory
    }

    /// The purpose for which the file is opened.
    package enum Mode: Sendable, Hashable {
        /// The file must exist and is not written.
        case readOnly
        /// The file must exist and be writable.
        case readWrite
        /// The file is created if it is missing; it must be writable.
        case create
    }

    private(set) var origin: SQLiteError.Origin
    let access: Access
    /// The copy that is read instead of the file; nil if there is none.
    var copy: FileCopy?
    /// The reason for reading a copy; nil if the file is read.
    package internal(set) var snapshotNote: String?
    /// Whether the file has changes that are not in the copy.
    package internal(set) var isSnapshotOlder = false
    /// Nil after closing.
    private var handle: OpaquePointer?
    /// The active load, during which the file is closed; nil if there is none.
    var load: ActiveLoad?
    /// ``totalChanges`` when the transaction began.
    var changesBefore: Int64 = 0
    /// The tables that the transaction has loaded.
    var loadedTables: [String] = []
    /// Cached prepared statements that are not in use, by SQL.
    var idleStatements: [String: Statement] = [:]
    /// The names of the registered collations.
    var collations: Set<String> = []
    /// The tests that statements call; nil until the first is added.
    var textTests: TextTests?
    /// What statements are reported to; nil if they are not.
    var trace: StatementTrace?
    /// Whether triggers may write to virtual tables (``trustSchema()``).
    package internal(set) var trustsSchema = false

    package var path: String { origin.path }
    package var mode: Mode { origin.mode }

    /// Opens a database file and reads its schema, so that a file that is not a database is refused.
    ///
    /// The path is always a plain path, not a URI or a special name. Reading a file with a write-ahead log creates
    /// files beside it; ``reading(path:busyTimeout:once:)`` does not.
    /// - Parameter busyTimeout: how long a statement waits for the locks of another connection.
    /// - Throws: if the file is missing, a folder, a pipe, not writable, not a database, damaged, or locked by another
    ///   process for longer than `busyTimeout`.
    package convenience init(path: String, mode: Mode, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        let origin = SQLiteError.Origin(path: path, mode: mode)
        let name = try FileName.checked(path, origin: origin)
        try self.init(name: name, origin: origin, busyTimeout: busyTimeout, access: .byMode)
    }

    /// Creates an empty database in memory.
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
        // Must happen before the first lock. An immutable file is read without locks.
        if access == .byMode || access == .queryOnly { origin.file = FileIdentity(path: name).map { OpenFile($0) } }
        self.origin = origin
        self.access = access
        handle = database
        Self.endWithCancellation(database)
        // From here on a throw runs deinit, which closes the handle.
        try check(Self.wait(database, upTo: busyTimeout.milliseconds))
        // SQLite opens a write-protected file for reading without an error.
        if origin.mode != .readOnly, sqlite3_db_readonly(database, "main") == 1 {
            throw SQLiteError(.readOnly, "the file is write-protected", origin: origin)
        }
        try harden(database)
        if access == .queryOnly || access == .copy { try execute("PRAGMA query_only=ON") }
        try registerCoreDataFunctions(in: database)
        // SQLite reads the file only when the first statement runs.
        try execute("SELECT 1 FROM sqlite_master LIMIT 1")
        // A new file has no other readers, so the limit is needed only here.
        if origin.mode == .readWrite { try raiseSpillLimit() }
    }

    deinit {
        idleStatements.removeAll()
        if let handle {
            // Statements may outlive the connection, but not the trace.
            Self.install(nil, on: handle)
            keepLog(handle)
        }
        // Keeps the database open until all statements are finalised, so that statements may outlive the connection.
        sqlite3_close_v2(handle)
    }

    /// Closes the file now. Every later call on the connection throws.
    ///
    /// - Throws: if statements are still in use.
    package func close() throws(SQLiteError) {
        let database = try open
        idleStatements.removeAll()
        keepLog(database)
        let code = sqlite3_close(database)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: database, origin: origin) }
        handle = nil
        origin.file = nil
        copy = nil
    }

    /// Prevents that the last reader to close copies the log of other connections to the file. Closing removes an empty
    /// log.
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

    /// Opens the file again after ``close()``.
    func reopen() throws(SQLiteError) {
        let database = try Self.open(try FileName.checked(path, origin: origin), SQLITE_OPEN_READWRITE, origin)
        handle = database
        collations = []
        textTests = nil
        Self.endWithCancellation(database)
        Self.install(trace, on: database)
        origin.file = FileIdentity(path: path).map { OpenFile($0) }
        try harden(database)
        try registerCoreDataFunctions(in: database)
    }

    /// The handle of the open connection. Access to it ends a load.
    var open: OpaquePointer {
        get throws(SQLiteError) {
            if load != nil { try endLoading() }
            guard let handle else { throw SQLiteError(.misuse, "the connection is closed", origin: origin) }
            return handle
        }
    }

    /// The number of rows changed by the last INSERT, UPDATE or DELETE, without the changes of triggers.
    package var changes: Int64 { handle.map { sqlite3_changes64($0) } ?? 0 }

    package var isInTransaction: Bool { load != nil || handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// The number of rows changed by all statements.
    var totalChanges: Int64 { handle.map { sqlite3_total_changes64($0) } ?? 0 }

    /// Whether a statement is not finalised.
    var hasStatements: Bool { handle.map { sqlite3_next_stmt($0, nil) != nil } ?? false }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle, origin: origin) }
    }
}

extension Duration {
    /// Whole milliseconds, clamped to the range of SQLite.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : Int32.max }
        return Int32(clamping: max(0, whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue))
    }
}

extension Connection {
    /// Runs `body` with the schema's triggers disabled, so that they do not change the inserted rows. Temporary
    /// triggers still run (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html).
    package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
        let database = try open
        try check(granary_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0))
        defer { _ = granary_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1) }
        return try body()
    }
}
