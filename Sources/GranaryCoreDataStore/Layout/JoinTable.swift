import GranaryCoordination
import GranaryModel

/// The table of two to-many relationships that are inverses of each other.
package struct JoinTable: Sendable {
    package let name: String
    /// The index of the entity that names the table.
    package let entity: Int
    package let firstColumn: String
    package let secondColumn: String
    package let orderColumns: [String]
    /// The columns of the additional indexes with an order column.
    let orderIndexes: [[String]]

    /// Whether the table stores a relationship that is its own inverse: each link is two rows, one for each direction.
    package var isReflexive: Bool { secondColumn == StoreLayout.reflexiveColumn }

    /// The table, for the FROM clause of a statement that reads links. For a relationship that is its own inverse, it
    /// is a subquery that adds the rows of the other direction where they are missing: in stores that Core Data wrote,
    /// some are.
    package var source: String {
        guard isReflexive else { return name }
        let orders = orderColumns.map { ", \($0)" }.joined()
        let missing = orderColumns.map { _ in ", NULL" }.joined()
        return "(SELECT \(firstColumn), \(secondColumn)\(orders) FROM \(name) UNION ALL "
            + "SELECT \(secondColumn), \(firstColumn)\(missing) FROM \(name) o WHERE NOT EXISTS (SELECT 1 FROM \(name) m "
            + "WHERE m.\(firstColumn) = o.\(secondColumn) AND m.\(secondColumn) = o.\(firstColumn)))"
    }
}
