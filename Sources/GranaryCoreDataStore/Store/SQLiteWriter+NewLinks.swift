import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Links of new objects in join tables: page by page in a new store, otherwise with one statement for all links.
extension SQLiteWriter {
    func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
        guard case .join(let table, let owner, _, let order)? = store.layout.linkPlace(of: relationship),
            history == nil, !store.layout.joinTables[table].isReflexive
        else { return try setLinksOfEach(relationship, links, ownerEntity: ownerEntity) }
        let join = store.layout.joinTables[table]
        let isFirst = join.firstColumn == owner
        let ordered = order.flatMap { join.orderColumns.firstIndex(of: $0) }.map { $0 + 2 }
        let orders = ordered == nil ? [] : Self.orders(of: links)
        func value(_ link: Link, _ index: Int, _ column: Int) -> Int64? {
            if column < 2 { return (column == 0) == isFirst ? link.owner : link.destination }
            return column == ordered ? orders[index] : nil
        }
        let columns = [join.firstColumn, join.secondColumn] + join.orderColumns
        if connection.isLoading, let load {
            do { try load.append(links, join: table, columns: columns.count, value: value) } catch {
                throw connection.error(of: error)
            }
            return
        }
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(join.name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
        let statement = try connection.borrow(sql)
        defer { connection.giveBack(statement) }
        for (index, link) in links.enumerated() {
            for column in columns.indices { try statement.bind(value(link, index, column), at: column + 1) }
            try statement.run()
            try didRunStatement()
        }
    }

    /// The order keys of links: those of a new list for each owner.
    private static func orders(of links: [Link]) -> [Int64] {
        var orders: [Int64] = []
        for (index, link) in links.enumerated() {
            let continues = index > 0 && links[index - 1].owner == link.owner
            orders.append(continues ? orders[index - 1] + OrderKeys.step : OrderKeys.first)
        }
        return orders
    }
}
