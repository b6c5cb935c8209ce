internal import CSQLite
internal import Foundation

/// SQL functions of one text.
enum TextFunction {
    /// Answers with the text made of the one argument: NULL for NULL; of a number its digits. Bytes that are no UTF-8
    /// become U+FFFD, and U+0000 survives.
    static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ transform: (String) -> String
    ) {
        // In this order: the count is that of the form that the first call made.
        guard let value = values?.pointee, let start = sqlite3_value_text(value) else {
            sqlite3_result_null(context)
            return
        }
        let count = Int(sqlite3_value_bytes(value))
        var result = transform(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        result.withUTF8 { granary_result_text_copied(context, $0.baseAddress, UInt64($0.count)) }
    }

    /// Without regard to case and diacritics, as `canonical:` of a derived attribute.
    static func canonical(_ text: String) -> String {
        // Foundation's way is a slow one, and most text is ASCII.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// What a connection does not let a stranger's file do (https://www.sqlite.org/security.html).
extension Connection {
    /// The longest SQL text, in bytes, ours and the schema's: 4 MiB.
    package static let sqlLengthLimit = 4 << 20
    /// How deep triggers may start triggers. Core Data's derived attributes need a few levels.
    package static let triggerDepthLimit = 100

    func harden(_ database: OpaquePointer) throws(SQLiteError) {
        let flags: [(option: Int32, on: Int32)] = [
            // No writes to shadow tables or to the schema as a table, and no journal_mode=OFF.
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
            // Triggers, constraints and indexes may call harmless functions only.
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            // Core Data makes no views; one named as a table could compute for ever.
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            // A quoted name that no column has is an error, not a text: a missing column never reads as data.
            (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for flag in flags { try check(granary_db_config_flag(database, flag.option, flag.on)) }
        sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, Int32(clamping: Self.sqlLengthLimit))
        sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, Int32(clamping: Self.triggerDepthLimit))
        // Builds of SQLite differ in their defaults; a damaged mapped page could end the process with a signal.
        try execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA recursive_triggers=OFF")
    }
}
