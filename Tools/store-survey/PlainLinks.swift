import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite

/// The links of a to-many relationship by plain SQL, in the order in which Granary reads them.
final class PlainLinks {
    private let statement: Statement
    /// Looks up the entity of a destination if the table of links does not contain it.
    private let lookup: Statement?
    private let store: PlainStore
    private var isAtEnd = false
    /// The number of links to missing rows.
    private(set) var dangling = 0

    /// Nil if no column or table is recognised as the relationship's.
    init?(_ store: PlainStore, _ relationship: Schema.Relationship, _ schema: Schema, _ layout: StoreLayout) throws {
        self.store = store
        if let query = Self.foreignKeyQuery(relationship, schema, layout) {
            statement = try store.connection.prepare(query)
            lookup = nil
        } else if let query = Self.joinQuery(relationship, schema, layout) {
            statement = try store.connection.prepare(query)
            let table = PlainStore.quoted(layout.tables[layout.tableOfEntity[relationship.destination]].name)
            lookup = try store.connection.prepare("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?")
        } else {
            return nil
        }
    }

    func next() throws -> Link? {
        while !isAtEnd {
            guard try statement.step() else {
                isAtEnd = true
                break
            }
            let (owner, destination) = (statement.integer(at: 0), statement.integer(at: 1))
            let found =
                if let lookup {
                    try store.entityNumber(ofKey: destination, lookup)
                } else {
                    Optional(statement.integer(at: 2))
                }
            guard let number = found else {
                dangling += 1
                continue
            }
            // A file may contain any number, even the smallest integer, so the subtraction must not overflow.
            return Link(owner: owner, entity: Int(clamping: number) &- 1, destination: destination)
        }
        return nil
    }

    /// For a to-one inverse or none: a column of the destination contains the owner's key.
    private static func foreignKeyQuery(
        _ relationship: Schema.Relationship, _ schema: Schema, _ layout: StoreLayout
    ) -> String? {
        let inverse = relationship.inverse.map { schema.entities[$0.owner].relationships[$0.relationship] }
        if let inverse, inverse.isToMany { return nil }
        let table = layout.tables[layout.tableOfEntity[relationship.destination]]
        let key = table.columns.first { column in
            if let inverse {
                column.content == .reference && column.entity == inverse.owner && column.slot == inverse.slot
            } else {
                column.content == .owner && column.entity == relationship.owner && column.slot == relationship.slot
            }
        }
        guard let key else { return nil }
        let order = table.columns.first {
            $0.content == .order && $0.entity == relationship.owner && $0.slot == relationship.slot
        }
        return query(key.name, "Z_PK", ", Z_ENT", PlainStore.quoted(table.name), order: order?.name) {
            "WHERE \($0) IS NOT NULL"
        }
    }

    /// For two to-many relationships: finds the join table by Core Data's names of its columns.
    private static func joinQuery(
        _ relationship: Schema.Relationship, _ schema: Schema, _ layout: StoreLayout
    ) -> String? {
        guard let inverse = relationship.inverse.map({ schema.entities[$0.owner].relationships[$0.relationship] }),
            inverse.isToMany
        else { return nil }
        let isOwnInverse = inverse.owner == relationship.owner && inverse.slot == relationship.slot
        let ownerName = "Z_\(relationship.owner + 1)\(inverse.name.uppercased())"
        let destinationName = isOwnInverse ? "REFLEXIVE" : "Z_\(inverse.owner + 1)\(relationship.name.uppercased())"
        for table in layout.joinTables where [relationship.owner, inverse.owner].contains(table.entity) {
            let columns = [table.firstColumn, table.secondColumn]
            guard let owner = columns.first(where: { isName($0, ownerName) }),
                let destination = columns.first(where: { isName($0, destinationName) && $0 != owner })
            else { continue }
            let order = table.orderColumns.first { $0 == "Z_FOK_\(destination.dropFirst(2))" }
            guard isOwnInverse, order == nil else {
                return query(owner, destination, "", PlainStore.quoted(table.name), order: order) { _ in "" }
            }
            // A link is read in both directions, even if only one is stored.
            let (left, right, name) = (
                PlainStore.quoted(owner), PlainStore.quoted(destination), PlainStore.quoted(table.name)
            )
            let both = "(SELECT \(left), \(right) FROM \(name) UNION SELECT \(right), \(left) FROM \(name))"
            return query(owner, destination, "", both, order: nil) { _ in "" }
        }
        return nil
    }

    /// Whether the column has the name, or the name with the digits that distinguish equal names.
    private static func isName(_ column: String, _ name: String) -> Bool {
        column.hasPrefix(name) && column.dropFirst(name.count).allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Members without an order key come last.
    private static func query(
        _ owner: String, _ destination: String, _ more: String, _ table: String, order: String?,
        _ condition: (String) -> String
    ) -> String {
        let (owner, destination) = (PlainStore.quoted(owner), PlainStore.quoted(destination))
        let sort = order.map(PlainStore.quoted).map { "\($0) IS NULL, \($0), " } ?? ""
        return "SELECT \(owner), \(destination)\(more) FROM \(table) \(condition(owner)) "
            + "ORDER BY \(owner), \(sort)\(destination)"
    }
}
