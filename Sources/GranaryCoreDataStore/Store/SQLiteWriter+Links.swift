import GranaryCoordination
import GranaryModel
import GranarySQLite

extension SQLiteWriter {
    func setLinks(
        _ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]
    ) throws {
        // Each object once, at its first position.
        var seen: Set<Int64> = []
        let members = destinations.map(\.destination).filter { seen.insert($0).inserted }
        let marks = try history?.marks(linking: relationship, owner: owner, to: members) ?? []
        switch store.layout.linkPlace(of: relationship) {
        case .foreignKey(let table, let column, let entityColumn, let order)?:
            let list = ForeignKeyList(
                table: store.layout.tables[table].name, column: column, entityColumn: entityColumn, orderColumn: order)
            try set(list, owner: owner, ownerEntity: ownerEntity, to: members, seen)
        case .join(let table, let ownerColumn, let destination, let order)?:
            let join = store.layout.joinTables[table]
            let list = JoinList(table: join.name, owner: ownerColumn, destination: destination, orderColumn: order)
            try set(list, owner: owner, to: members, seen)
            if join.isReflexive { try mirrorOwnInverse(join, owner: owner) }
        case nil: break
        }
        try history?.record(marks)
    }

    /// A list stored in a foreign key of its members.
    private struct ForeignKeyList {
        let table: String
        let column: String
        let entityColumn: String?
        let orderColumn: String?
    }

    private func set(
        _ list: ForeignKeyList, owner: Int64, ownerEntity: Int, to members: [Int64], _ wanted: Set<Int64>
    ) throws {
        let columns = [list.column] + [list.entityColumn, list.orderColumn].compactMap { $0 }
        let nulls = columns.map { "\($0) = NULL" }.joined(separator: ", ")
        let present = try presentMembers(
            "SELECT Z_PK, \(list.orderColumn ?? "NULL") FROM \(list.table) WHERE \(list.column) = ?", owner)
        for key in present.members.sorted() where !wanted.contains(key) {
            try run("UPDATE \(list.table) SET \(nulls) WHERE Z_PK = ?", [key])
        }
        let orders = list.orderColumn == nil ? [] : OrderKeys.keys(keeping: members.map { present.orders[$0] })
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let update = "UPDATE \(list.table) SET \(assignments) WHERE Z_PK = ?"
        for (place, member) in members.enumerated() {
            var parameters: [Int64?] = [owner]
            if list.entityColumn != nil { parameters.append(Int64(ownerEntity) + 1) }
            if list.orderColumn != nil { parameters.append(orders[place]) }
            try run(update, parameters + [member])
        }
    }

    /// A list stored in a join table.
    private struct JoinList {
        let table: String
        let owner: String
        let destination: String
        let orderColumn: String?
    }

    private func set(_ list: JoinList, owner: Int64, to members: [Int64], _ wanted: Set<Int64>) throws {
        let (table, own, other) = (list.table, list.owner, list.destination)
        let present = try presentMembers(
            "SELECT \(other), \(list.orderColumn ?? "NULL") FROM \(table) WHERE \(own) = ?", owner)
        for key in present.members.sorted() where !wanted.contains(key) {
            try run("DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?", [owner, key])
        }
        let orders = list.orderColumn == nil ? [] : OrderKeys.keys(keeping: members.map { present.orders[$0] })
        for (place, member) in members.enumerated() {
            if !present.members.contains(member) {
                try run("INSERT INTO \(table) (\(own), \(other)) VALUES (?, ?)", [owner, member])
            }
            guard let order = list.orderColumn, present.orders[member] != orders[place] else { continue }
            try run(
                "UPDATE \(table) SET \(order) = ? WHERE \(own) = ? AND \(other) = ?",
                [orders[place], owner, member])
        }
    }

    /// Stores each pair in both directions, as a relationship that is its own inverse requires.
    private func mirrorOwnInverse(_ join: JoinTable, owner: Int64) throws {
        let (first, second) = (join.firstColumn, join.secondColumn)
        try run(
            "DELETE FROM \(join.name) WHERE \(second) = ?1 AND NOT EXISTS (SELECT 1 FROM \(join.name) m "
                + "WHERE m.\(first) = ?1 AND m.\(second) = \(join.name).\(first))", [owner])
        try run(
            "INSERT INTO \(join.name) (\(first), \(second)) SELECT \(second), ?1 FROM \(join.name) o "
                + "WHERE \(first) = ?1 AND NOT EXISTS (SELECT 1 FROM \(join.name) m "
                + "WHERE m.\(first) = o.\(second) AND m.\(second) = ?1)", [owner])
    }

    /// The members of a list, and their order keys.
    private func presentMembers(
        _ sql: String, _ owner: Int64
    ) throws -> (members: Set<Int64>, orders: [Int64: Int64]) {
        try connection.withStatement(sql) { statement in
            try statement.bind(owner, at: 1)
            var (members, orders): (Set<Int64>, [Int64: Int64]) = ([], [:])
            while try statement.step() {
                let member = statement.integer(at: 0)
                members.insert(member)
                if statement.type(at: 1) == .integer { orders[member] = statement.integer(at: 1) }
            }
            return (members: members, orders: orders)
        }
    }

    func completeOrder() throws {
        let layout = store.layout
        for place in layout.linkPlaces.values {
            switch place {
            case .foreignKey(let table, let column, _, let order?):
                try completeOrder(table: layout.tables[table].name, owner: column, order: order, then: "Z_PK")
            case .join(let table, let owner, let destination, let order?):
                try completeOrder(table: layout.joinTables[table].name, owner: owner, order: order, then: destination)
            case .foreignKey, .join: break
            }
        }
    }

    private func completeOrder(table: String, owner: String, order: String, then key: String) throws {
        // One statement computes the last key of every owner. A query for each member would be slow for long lists.
        try connection.execute(
            """
            UPDATE \(table) SET \(order) = added.place FROM (
                SELECT t.rowid AS member, IFNULL(l.last, \(firstOrderLessStep))
                    + \(OrderKeys.step) * ROW_NUMBER() OVER (PARTITION BY t.\(owner) ORDER BY t.\(key)) AS place
                FROM \(table) t JOIN (
                    SELECT \(owner) AS list, MAX(\(order)) AS last FROM \(table)
                    WHERE \(owner) IS NOT NULL GROUP BY \(owner)) l ON l.list = t.\(owner)
                WHERE t.\(order) IS NULL) AS added
            WHERE \(table).rowid = added.member
            """)
    }

    private var firstOrderLessStep: Int64 { OrderKeys.first - OrderKeys.step }
}
