import GranaryBase
import GranarySQLite

/// The bytes of a store below its objects.
extension SQLiteStore {
    /// Calls `body` with each text and each blob of each table, also of those that are not of entities.
    package func readColumns(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try converting {
            for table in try connection.tables() {
                try connection.withStatement("SELECT * FROM \(SQL.quoteIdentifier(table))") { statement in
                    while try statement.step() {
                        for column in 0..<statement.columnCount {
                            switch statement.type(at: column) {
                            case .text: try body(try statement.text(at: column))
                            case .blob: try body(try statement.blob(at: column))
                            default: break
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes a copy of the database that has only what the tables and indexes have, without free pages.
    ///
    /// - Parameter path: the path of a file that does not exist.
    package func writeCompact(to path: String) throws {
        try converting {
            try connection.withStatement("VACUUM INTO ?") { statement in
                try statement.bind(path, at: 1)
                try statement.run()
            }
        }
    }
}
