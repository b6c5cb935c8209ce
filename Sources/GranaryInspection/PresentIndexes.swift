import GranaryCoordination
import GranaryCoreDataStore
import GranarySQLite

/// The indexes that some tables of a file have, those that SQLite makes for constraints included.
struct PresentIndexes {
    struct Index: Hashable {
        let name: String
        let isUnique: Bool
        /// An expression has no name and counts as an empty one.
        let columns: [String]
    }

    private(set) var byTable: [String: [Index]] = [:]

    init(_ connection: Connection, tables: some Sequence<String>) throws {
        for table in tables {
            var found: [(name: String, isUnique: Bool)] = []
            let list = "SELECT name, \"unique\", partial FROM pragma_index_list(?) ORDER BY seq"
            try connection.withStatement(list) { statement in
                try statement.bind(table, at: 1)
                // An index on some of the rows only finds not all.
                while try statement.step() {
                    guard statement.integer(at: 2) == 0 else { continue }
                    found.append((statement.lossyText(at: 0), statement.integer(at: 1) != 0))
                }
            }
            byTable[table] = try found.map { index in
                let columns = try Self.columns(of: index.name, connection)
                return Index(name: index.name, isUnique: index.isUnique, columns: columns)
            }
        }
    }

    private static func columns(of index: String, _ connection: Connection) throws -> [String] {
        try connection.withStatement("SELECT name FROM pragma_index_info(?) ORDER BY seqno") { statement in
            try statement.bind(index, at: 1)
            var columns: [String] = []
            while try statement.step() { columns.append(statement.lossyText(at: 0)) }
            return columns
        }
    }

    /// Whether an index does what a wanted one is for, whatever its name: frameworks name them differently, and some
    /// make a constraint of the table instead.
    func serves(_ wanted: IndexSQL.Wanted) -> Bool {
        (byTable[wanted.table] ?? []).contains { index in
            wanted.isUnique
                ? index.isUnique && index.columns == wanted.columns : index.columns.starts(with: wanted.columns)
        }
    }
}
