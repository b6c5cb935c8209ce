import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Inserts links of new objects into join tables: as pages in a new store, otherwise with statements of 100 links.
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
        let isClean = try removeStrayLinks(of: links, from: join.name, owner: owner)
        var rest = links.indices
        for count in [Self.bulkLinks, 1] where rest.count >= count {
            let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
            // With FAIL, SQLite keeps no journal of the statement. An error ends the transaction in any case.
            let statement = try connection.borrow(
                "INSERT OR FAIL INTO \(join.name) (\(columns.joined(separator: ", "))) VALUES "
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
        // If the owners are in the second column, their links are found by the index that would be dropped. New entries
        // come at its end then, so that it need not be dropped.
        if isClean, join.firstColumn == owner { try noteInserted(links.count, into: join.name, expected: 0) }
    }

    /// Removes rows of deleted objects whose primary keys the owners have. A damaged store can have such rows.
    ///
    /// - Returns: whether the table has no such rows, neither for these owners nor for owners with larger keys.
    private func removeStrayLinks(of links: [Link], from table: String, owner: String) throws -> Bool {
        guard store.isPublished, let first = links.lazy.map(\.owner).min() else { return true }
        let column = "\(table).\(owner)"
        if newOwners[column] == nil {
            let count = try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(owner) >= ?)", first)
            newOwners[column] = count == 0 ? first : .max
        }
        if let clean = newOwners[column], first >= clean { return true }
        let owners = Set(links.map(\.owner)).sorted().map(String.init).joined(separator: ",")
        let statement = try connection.borrow(
            "DELETE FROM \(table) WHERE \(owner) IN (SELECT value FROM json_each(?))")
        defer { connection.giveBack(statement) }
        try statement.bind("[\(owners)]", at: 1)
        try statement.run()
        return false
    }

    /// The number of links that one statement inserts.
    private static let bulkLinks = 100
}
