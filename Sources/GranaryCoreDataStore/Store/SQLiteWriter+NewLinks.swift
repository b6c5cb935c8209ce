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

/// The rows of links in a join table. The members of a new list have ascending order keys.
struct JoinRows {
    private let links: [Link]
    private let isOwnerFirst: Bool
    /// The index of the column with the order of the lists; nil for none.
    private let orderColumn: Int?
    private var orders: [Int64] = []

    init(links: [Link], isOwnerFirst: Bool, orderColumn: Int?) {
        self.links = links
        self.isOwnerFirst = isOwnerFirst
        self.orderColumn = orderColumn
        guard orderColumn != nil else { return }
        for (index, link) in links.enumerated() {
            let continues = index > 0 && links[index - 1].owner == link.owner
            orders.append(continues ? orders[index - 1] + OrderKeys.step : OrderKeys.first)
        }
    }

    var count: Int { links.count }

    /// The value of a row in a column: the key of an object, an order key, or nil for the order of the other end's list.
    subscript(row: Int, column: Int) -> Int64? {
        if column < 2 { return (column == 0) == isOwnerFirst ? links[row].owner : links[row].destination }
        return column == orderColumn ? orders[row] : nil
    }
}
