import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// The indexes of some tables, including those that SQLite creates for constraints.
struct PresentIndexes {
    struct Index: Hashable {
        let name: String
        let isUnique: Bool
        /// The columns' names; `Z_PK` for the rowid, empty for an expression.
        let columns: [String]
        /// The condition of a partial index, which does not contain all rows.
        let condition: String?
    }

    private(set) var byTable: [String: [Index]] = [:]

    init(_ connection: Connection, tables: some Sequence<String>) throws {
        let conditions = try Self.conditions(connection)
        for table in tables {
            var found: [(name: String, isUnique: Bool, isPartial: Bool)] = []
            let list = "SELECT name, \"unique\", partial FROM pragma_index_list(?) ORDER BY seq"
            try connection.withStatement(list) { statement in
                try statement.bind(table, at: 1)
                while try statement.step() {
                    found.append(
                        (statement.lossyText(at: 0), statement.integer(at: 1) != 0, statement.integer(at: 2) != 0))
                }
            }
            byTable[table] = try found.map { index in
                let columns = try Self.columns(of: index.name, connection)
                let condition = index.isPartial ? conditions[index.name] ?? "" : nil
                return Index(name: index.name, isUnique: index.isUnique, columns: columns, condition: condition)
            }
        }
    }

    /// The conditions of partial indexes by name.
    private static func conditions(_ connection: Connection) throws -> [String: String] {
        var conditions: [String: String] = [:]
        for object in try connection.schema() where object.type == "index" {
            let sql = object.plainSQL
            guard let place = sql.firstRange(of: ") WHERE ") else { continue }
            conditions[object.name] = String(sql[place.upperBound...])
        }
        return conditions
    }

    private static func columns(of index: String, _ connection: Connection) throws -> [String] {
        try connection.withStatement(
            "SELECT CASE cid WHEN -1 THEN 'Z_PK' ELSE name END FROM pragma_index_info(?) ORDER BY seqno"
        ) { statement in
            try statement.bind(index, at: 1)
            var columns: [String] = []
            while try statement.step() { columns.append(statement.lossyText(at: 0)) }
            return columns
        }
    }

    /// Whether an index of any name serves the purpose of `wanted`: frameworks name indexes differently, and some
    /// create a constraint of the table instead.
    func serves(_ wanted: IndexSQL.Wanted) -> Bool {
        (byTable[wanted.table] ?? []).contains { index in
            guard index.condition == wanted.condition else { return false }
            return wanted.isUnique
                ? index.isUnique && index.columns == wanted.columns : index.columns.starts(with: wanted.columns)
        }
    }
}
