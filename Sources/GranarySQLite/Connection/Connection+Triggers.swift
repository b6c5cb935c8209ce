internal import CSQLite

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
