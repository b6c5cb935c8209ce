internal import GranaryCSQLite
internal import Foundation

/// SQL functions with one text argument.
enum TextFunction {
    /// Returns the transformed argument: NULL for NULL, and the digits of a number. Invalid UTF-8 becomes U+FFFD;
    /// U+0000 is preserved.
    static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ transform: (String) -> String
    ) {
        // The order matters: the byte count refers to the text that the first call has created.
        guard let value = values?.pointee, let start = sqlite3_value_text(value) else {
            sqlite3_result_null(context)
            return
        }
        let count = Int(sqlite3_value_bytes(value))
        var result = transform(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        result.withUTF8 { granary_result_text_copied(context, $0.baseAddress, UInt64($0.count)) }
    }
}

/// Protection against untrusted files (https://www.sqlite.org/security.html).
extension Connection {
    /// The maximum size of an SQL text, of Granary or in the schema: 4 MiB.
    package static let sqlLengthLimit = 4 << 20
    /// The maximum depth of triggers that start triggers. Core Data's derived attributes need a few levels.
    package static let triggerDepthLimit = 100

    /// Disables the features that an untrusted schema could use.
    func harden(_ database: OpaquePointer) throws(SQLiteError) {
        let flags: [(option: Int32, on: Int32)] = [
            // No writes to shadow tables or to the schema as a table, and no journal_mode=OFF.
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
            // Triggers, constraints and indexes may call only innocuous functions.
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustsSchema ? 1 : 0),
            // Core Data creates no views. A view with the name of a table could run forever.
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            // A quoted name of a missing column is an error, not a text literal.
            (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for flag in flags { try check(granary_db_config_flag(database, flag.option, flag.on)) }
        sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, Int32(clamping: Self.sqlLengthLimit))
        sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, Int32(clamping: Self.triggerDepthLimit))
        // The defaults differ between builds of SQLite. A damaged memory-mapped page could crash the process.
        try execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA recursive_triggers=OFF")
    }

    /// Lets triggers write to R-trees: older versions of SQLite do not regard them as innocuous. The caller must have
    /// checked what the schema's triggers and virtual tables do, and that the schema has not changed since.
    package func trustSchema() throws(SQLiteError) {
        try check(granary_db_config_flag(open, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1))
        trustsSchema = true
    }
}
