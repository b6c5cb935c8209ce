internal import CSQLite
package import GranaryBase

/// What SQLite refused, with its own words, the statement and the file.
package struct SQLiteError: Error, Sendable {
    /// The extended result code; ``code`` is its primary part.
    package var extendedCode: ResultCode
    /// What SQLite says, or what this module says where SQLite would have been silent.
    package var message: String
    /// The SQL at fault, shortened; nil where the trouble is not a statement's.
    package var sql: String?
    /// The file, as it was given.
    package var path: String
    /// How the file was opened: the same code means different things to a reader and to a creator.
    package var mode: Connection.Mode

    package var code: ResultCode { extendedCode.primary }

    init(_ code: ResultCode, _ message: String, sql: String? = nil, origin: Origin) {
        extendedCode = code
        self.message = message
        self.sql = sql.map(Diagnostic.shortened)
        path = origin.path
        mode = origin.mode
    }

    /// The error that a call on `database` has just reported as `code`.
    init(_ code: Int32, of database: OpaquePointer?, sql: String? = nil, origin: Origin) {
        // The connection keeps the last error only; where that is another one its text would mislead.
        let isKept = database != nil && sqlite3_extended_errcode(database) & 0xFF == code & 0xFF
        let text = isKept ? sqlite3_errmsg(database) : sqlite3_errstr(code)
        self.init(
            ResultCode(rawValue: code), text.map { String(cString: $0) } ?? "unknown error", sql: sql, origin: origin)
    }

    /// Where a connection comes from; every error carries it.
    struct Origin: Sendable {
        var path: String
        var mode: Connection.Mode
        /// Keeps the file known as open, as long as a statement or its connection lives; nil where that needs no care.
        var file: OpenFile?
    }
}

extension SQLiteError {
    /// Whether a uniqueness constraint or a primary key was broken.
    package var isUniqueViolation: Bool {
        [.constraintUnique, .constraintPrimaryKey, .constraintRowID].contains(extendedCode)
    }

    /// Whether a constraint of any kind was broken: what the row says is to blame, not the file or the disk.
    package var isConstraintViolation: Bool { code == .constraint }

    /// The columns of a broken uniqueness constraint or primary key, each as SQLite writes it: `TABLE.COLUMN`.
    ///
    /// Empty for other errors, and where SQLite names an index on an expression instead.
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
    /// The same trouble in the user's terms; this error is its `underlying`.
    package var granaryError: GranaryError {
        let (code, explanation) = meaning
        return GranaryError(code, "\(path): \(explanation)", underlying: self)
    }

    private var meaning: (GranaryError.Code, String) {
        switch code {
        case .busy, .locked:
            (.busy, "the store is in use by another process; try again when that has finished")
        case .interrupted:
            (.interrupted, "stopped before the end")
        case .full:
            (.inputOutput, "the disk is full, or a limit on the file's size is reached")
        case .inputOutput, .outOfMemory:
            (.inputOutput, "reading or writing the store failed: \(message)")
        case .cannotOpen:
            mode == .create
                ? (.uncreatable, "cannot be created: \(message)") : (.unreadable, "cannot be opened: \(message)")
        case .readOnly, .permission:
            mode == .readOnly
                ? (.unreadable, "cannot be read without writing to it first: \(message)")
                : (.uncreatable, "cannot be written: \(message)")
        case .notADatabase:
            (.refused, "is not an SQLite database, or it is encrypted")
        case .corrupt:
            (.refused, "the store is damaged: \(message)")
        case .constraint, .tooBig:
            (.refused, "the store refused a value: \(message)")
        case .error where isTheSchemasFault:
            (.refused, "the store's schema is not Core Data's: \(message)")
        // What SUM says; only triggers of derived attributes call it when something is written.
        case .error where message == "integer overflow":
            (.refused, "a derived sum does not fit into 64 bits")
        default:
            (.internalDefect, "SQLite refused a statement of Granary's: \(message)" + (sql.map { " (\($0))" } ?? ""))
        }
    }

    /// Our own statements call built-in functions only and read no views, so the store's schema did.
    ///
    /// SQLite tells these apart by the text alone; another wording falls back to `internalDefect`.
    private var isTheSchemasFault: Bool {
        [
            "no such function: ", "unsafe use of ", "access to view ", "too many levels of trigger recursion",
            "unsupported file format", "no such column: ", "no such table: ", "malformed database schema",
        ]
        .contains { message.hasPrefix($0) }
    }
}
