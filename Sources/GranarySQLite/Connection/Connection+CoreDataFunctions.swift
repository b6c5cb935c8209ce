internal import CSQLite
internal import Foundation

/// The SQL functions that triggers of Core Data's stores call. Without them an INSERT into a table with derived
/// attributes fails.
extension Connection {
    func registerCoreDataFunctions(in database: OpaquePointer) throws(SQLiteError) {
        // These tell Core Data's context which objects a trigger changed; the result is ignored. Stores call them
        // with 5 arguments; -1 takes any number, since no document fixes it.
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
        // What derived attributes do with text. SQLite's own upper() and lower() know ASCII only.
        try register("NSCoreDataCanonical", arguments: 1, flags: SQLITE_DETERMINISTIC, in: database) {
            context, _, values in TextFunction.answer(context, values, TextFunction.canonical)
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

    /// Innocuous, so that triggers may call it though the schema is not trusted.
    private func register(
        _ name: String, arguments: Int32, flags: Int32 = 0, in database: OpaquePointer, _ function: Function
    ) throws(SQLiteError) {
        try check(
            sqlite3_create_function_v2(
                database, name, arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS | flags, nil, function, nil, nil, nil))
    }
}
