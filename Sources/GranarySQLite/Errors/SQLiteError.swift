internal import GranaryCSQLite
package import GranaryBase

/// An error of SQLite, with its message, the statement and the file.
package struct SQLiteError: Error, Sendable {
    /// The extended result code; ``code`` is its primary part.
    package var extendedCode: ResultCode
    /// The message of SQLite or, for errors that SQLite does not report, of this module.
    package var message: String
    /// The failed SQL, shortened; nil if the error is not caused by a statement.
    package var sql: String?
    /// The path of the file, as given.
    package var path: String
    /// The mode in which the file was opened. The meaning of some codes depends on it.
    package var mode: Connection.Mode

    package var code: ResultCode { extendedCode.primary }

    init(_ code: ResultCode, _ message: String, sql: String? = nil, origin: Origin) {
        extendedCode = code
        self.message = message
        self.sql = sql.map(Diagnostic.shortened)
        path = origin.path
        mode = origin.mode
    }

    /// Creates the error for the code that the last call on `database` has returned.
    init(_ code: Int32, of database: OpaquePointer?, sql: String? = nil, origin: Origin) {
        // The connection keeps only the last error. The message of another error would be misleading.
        let isKept = database != nil && sqlite3_extended_errcode(database) & 0xFF == code & 0xFF
        let text = isKept ? sqlite3_errmsg(database) : sqlite3_errstr(code)
        self.init(
            ResultCode(rawValue: code), text.map { String(cString: $0) } ?? "unknown error", sql: sql, origin: origin)
    }

    /// The file of a connection, for its errors.
    struct Origin: Sendable {
        var path: String
        var mode: Connection.Mode
        /// Registers the file as open as long as a statement or its connection exists; nil if that is unnecessary.
        var file: OpenFile?
    }
}

extension SQLiteError {
    /// Whether the error is a violated uniqueness constraint or primary key.
    package var isUniqueViolation: Bool {
        [.constraintUnique, .constraintPrimaryKey, .constraintRowID].contains(extendedCode)
    }

    /// Whether the error is a violated constraint of any kind, caused by the row and not by the file or the disk.
    package var isConstraintViolation: Bool { code == .constraint }

    /// The columns of a violated uniqueness constraint or primary key, as SQLite writes them: `TABLE.COLUMN`.
    ///
    /// Empty for other errors, and for an index on an expression.
    package var uniqueColumns: [String] {
        let start = "UNIQUE constraint failed: "
        guard isUniqueViolation, message.hasPrefix(start), !message.hasPrefix(start + "index ") else { return [] }
        return message.dropFirst(start.count).split(separator: ", ").map(String.init)
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        let statement = sql.map { ", in: \($0)" } ?? ""
        return "\(path): \(message) (SQLite result code \(extendedCode.rawValue))\(statement)"
    }
}

extension SQLiteError: GranaryErrorConvertible {
    /// The error with a message for the user. Its `underlying` error is this one.
    package var granaryError: GranaryError {
        let (code, explanation) = meaning
        return GranaryError(code, "\(path): \(explanation)", underlying: self)
    }

    private var meaning: (GranaryError.Code, String) {
        switch code {
        // A statement does not go on waiting after a cancellation.
        case .busy where Cancellation.current?.isCancelled == true, .interrupted:
            (.interrupted, "interrupted; nothing was changed")
        case .busy, .locked:
            (.busy, "the store is in use by another process; try again when it has finished")
        case .full:
            (.inputOutput, "the disk is full, or a limit on the file's size is reached")
        case .inputOutput, .outOfMemory:
            (.inputOutput, "reading or writing the store failed: \(message)")
        case .cannotOpen:
            mode == .create
                ? (.uncreatable, "cannot be created: \(message)") : (.unreadable, "cannot be opened: \(message)")
        case .readOnly, .permission:
            mode == .readOnly
                ? (.unreadable, "cannot be read without writing to the file first: \(message)")
                : (.uncreatable, "cannot be written: \(message)")
        case .notADatabase:
            (.refused, "is not an SQLite database, or it is encrypted")
        case .corrupt:
            (.refused, "the store is damaged: \(message)")
        case .constraint, .tooBig:
            (.refused, "the store refused a value: \(message)")
        case .error where isCausedBySchema:
            (.refused, "the store's schema is not Core Data's: \(message)")
        // The error of SUM, which only the triggers of derived attributes call when a row is written.
        case .error where message == "integer overflow":
            (.refused, "a derived sum does not fit in 64 bits")
        default:
            (.internalDefect, "SQLite refused a statement of Granary: \(message)" + (sql.map { " (\($0))" } ?? ""))
        }
    }

    /// Whether the store's schema causes the error: Granary's statements call only built-in functions and read no
    /// views.
    ///
    /// SQLite distinguishes these errors only by their messages. With an unknown message, the error is
    /// `internalDefect`.
    private var isCausedBySchema: Bool {
        [
            "no such function: ", "unsafe use of ", "access to view ", "too many levels of trigger recursion",
            "unsupported file format", "no such column: ", "no such table: ", "malformed database schema",
        ]
        .contains { message.hasPrefix($0) }
    }
}
