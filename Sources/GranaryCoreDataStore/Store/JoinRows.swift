import GranaryCoordination

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
