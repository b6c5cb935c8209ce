package import GranaryModel

/// Objects that are written inside the rows of another table, as values of a relationship.
package final class NestedTable: Sendable {
    /// The columns of the objects. The search is not used.
    package let table: RecordTable
    /// The to-one inverse of the relationship. The objects have no column for it, because the object around them tells
    /// it. Nil if there is none.
    let inverse: Schema.Relationship?

    package init(_ table: RecordTable, inverse: Schema.Relationship?) {
        self.table = table
        self.inverse = inverse
    }
}
