package import GranaryModel

/// A kind of store's tables, as far as derived attributes need them.
package protocol DerivedLayout {
    /// Whether an attribute has a column.
    func hasColumn(of attribute: Schema.Attribute) -> Bool
    /// Whether a to-one relationship has a column.
    func hasColumn(of relationship: Schema.Relationship) -> Bool
    /// Whether the links of a to-many relationship are stored.
    func hasLinks(of relationship: Schema.Relationship) -> Bool
}
