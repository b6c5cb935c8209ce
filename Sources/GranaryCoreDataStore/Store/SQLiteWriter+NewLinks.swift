import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Links of new objects in join tables: page by page in a new store, otherwise 100 with one statement.
extension SQLiteWriter {
    func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
        guard case .join(let table, let owner, _, let order)? = store.layout.linkPlace(of: relationship),
            history == nil, !store.layout.joinTables[table].isReflexive
        else { return try setLinksOfEach(relationship, links, ownerEntity: ownerEntity) }
        let join = store.layout.joinTables[table]
        let rows = JoinRows(
            links: links, isOwnerFirst: join.firstColumn == owner,
            orderColumn: order.flatMap { join.orderColumns.firstIndex(of: $0) }.map { $0 + 2 })
        let columns = [join.firstColumn, join.secondColumn] + join.orderColumns
        if connection.isLoading, let load {
            do { try load.append(rows, table: table, columns: columns.count) } catch {
                throw connection.error(of: error)
            }
            return
        }
        var rest = links.indices
        for count in [Self.bulkLinks, 1] where rest.count >= count {
            let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
            let statement = try connection.borrow(
                "INSERT INTO \(join.name) (\(columns.joined(separator: ", "))) VALUES "
                    + repeatElement(row, count: count).joined(separator: ", "))
            defer { connection.giveBack(statement) }
            while rest.count >= count {
                var parameter = 0
                for index in rest.prefix(count) {
                    for column in columns.indices {
                        parameter += 1
                        try statement.bind(rows[index, column], at: parameter)
                    }
                }
                try statement.run()
                try didRunStatement()
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The number of links that one statement inserts.
    private static let bulkLinks = 100
}
