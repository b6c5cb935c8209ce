internal import Foundation
internal import GranaryBase
internal import GranaryCSQLite

/// The SQL functions that the triggers of Core Data stores call. Without them, an INSERT into a table with derived
/// attributes fails.
extension Connection {
    func registerCoreDataFunctions(in database: OpaquePointer) throws(SQLiteError) {
        // With these, triggers tell Core Data's context which objects they changed; the result is ignored. Stores call
        // them with 5 arguments; -1 accepts any number, because the number is not documented.
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue",
            "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
            "NSCoreDataTriggerUpdateAffectedObjectValue",
        ] {
            try register(name, arguments: -1, in: database) { context, _, _ in sqlite3_result_null(context) }
        }
        // Seconds since 2001-01-01 00:00:00 UTC, as Core Data stores dates.
        try register("NSCoreDataNow", arguments: 0, in: database) { context, _, _ in
            sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
        }
        // The text functions of derived attributes. SQLite's upper() and lower() support only ASCII.
        try register("NSCoreDataCanonical", arguments: 1, flags: SQLITE_DETERMINISTIC, in: database) {
            context, _, values in TextFunction.answer(context, values, CanonicalText.canonical)
        }
        try register("NSCoreDataToUpper", arguments: 1, flags: SQLITE_DETERMINISTIC, in: database) {
            context, _, values in TextFunction.answer(context, values) { $0.uppercased() }
        }
        try register("NSCoreDataToLower", arguments: 1, flags: SQLITE_DETERMINISTIC, in: database) {
            context, _, values in TextFunction.answer(context, values) { $0.lowercased() }
        }
    }

    private typealias Function =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Registers an innocuous function, which triggers may call although the schema is not trusted.
    private func register(
        _ name: String, arguments: Int32, flags: Int32 = 0, in database: OpaquePointer, _ function: Function
    ) throws(SQLiteError) {
        try check(
            sqlite3_create_function_v2(
                database, name, arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS | flags, nil, function, nil, nil, nil))
    }
}
