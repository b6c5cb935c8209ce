import GranarySQLite

extension PersistentStore {
    /// Runs `body` so that all its reads see the store in one state, whatever other processes write meanwhile.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard let connection = (self as? SQLiteStore)?.connection, !connection.isInTransaction else {
            return try body()
        }
        return try converting { try connection.transaction(.deferred, body) }
    }
}
