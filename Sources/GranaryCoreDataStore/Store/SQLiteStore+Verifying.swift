package import GranaryBase
import GranarySQLite

/// Damage that SQLite reads without an error. A statement that seeks rows misses those behind a damaged page, and one
/// that uses an index gives the index's rows, whatever the table has.
///
/// Commands that read a store once (``verifiesTables``) check a table before they read it in such a way. Contexts read
/// stores as Core Data does.
extension SQLiteStore {
    /// What a statement needs of a table.
    enum Requirement: Int, Comparable {
        /// It reads the whole table. The number of rows is compared with that of the table's smallest index.
        case allRows
        /// It seeks rows by their keys.
        case keys
        /// It finds rows through indexes.
        case indexes

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Checks a table once, if the store is read once.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the table is damaged.
    func verify(_ table: String, for requirement: Requirement) throws {
        guard verifiesTables else { return }
        if let done = verifiedTables[table], done >= requirement { return }
        try naming(table) {
            try compareCount(of: table, rows: try connection.countRecords(of: table))
            if requirement >= .keys, let problem = try connection.problem(inPagesOf: table) {
                throw damage(in: table, problem)
            }
            if requirement >= .indexes, let problem = try connection.problem(inIndexesOf: table) {
                throw damage(in: table, problem)
            }
        }
        verifiedTables[table] = requirement
    }

    /// ``TableDamage/compareCount(_:_:rows:_:)`` for a table of this store.
    func compareCount(of table: String, rows: Int64) throws {
        try TableDamage.compareCount(table, path, rows: rows, connection)
    }

    /// ``TableDamage/naming(_:_:_:)`` for a table of this store.
    func naming<Result>(_ table: String, _ body: () throws -> Result) throws -> Result {
        try TableDamage.naming(table, path, body)
    }

    /// The index of the entity with a number (`Z_ENT`) that a row or an index has. An index can contain any number.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is not one of `entities`.
    func entity(_ number: Int64, in entities: Range<Int>, of table: String, key: Int64) throws(GranaryError) -> Int {
        guard number > Int64(entities.lowerBound), number <= Int64(entities.upperBound) else {
            throw damage(in: table, "the row with Z_PK \(key) belongs to no entity of this table (Z_ENT \(number))")
        }
        return Int(number) - 1
    }

    /// The error of a damaged table.
    package func damage(in table: String, _ problem: String) -> GranaryError { TableDamage.error(table, path, problem) }
}
