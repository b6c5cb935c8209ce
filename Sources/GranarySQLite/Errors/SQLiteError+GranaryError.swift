package import GranaryBase

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
