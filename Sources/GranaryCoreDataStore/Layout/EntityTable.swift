import GranaryCoordination
package import GranaryModel

/// The table of a root entity and all its subentities.
package struct EntityTable: Sendable {
    package let name: String
    /// The index of the root entity.
    package let root: Int
    /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, in the table's order.
    package internal(set) var columns: [Column]

    /// A column and its content.
    package struct Column: Sendable {
        package enum Content: Sendable, Hashable {
            case attribute(AttributeType)
            /// The name of a case of an enumeration (``Schema/Attribute/cases``), by its index, in the objects that have
            /// this case.
            case enumerationCase(Int)
            /// The key of the destination of a to-one.
            case reference
            /// The number of the destination's concrete entity, if several are possible.
            case referenceEntity
            /// The order key of an ordered relationship.
            case order
            /// The key of the owner of a to-many relationship without an inverse.
            case owner
        }

        package let name: String
        package let content: Content
        /// The index of the entity that declares the property. For owner and order columns, the property is the owner's
        /// to-many relationship.
        package let entity: Int
        /// The slot of the property.
        package let slot: Int

        /// The declared type (docs/core-data/sqlite-layout.md#declared-types-and-stored-values).
        package var declaredType: String { form.type }

        /// The group of the column. Tables order their columns by group
        /// (docs/core-data/sqlite-layout.md#order-of-columns).
        var group: Int { form.group }

        private var form: (type: String, group: Int) {
            switch content {
            case .reference, .referenceEntity: ("INTEGER", 1)
            case .owner, .order: ("INTEGER", 2)
            case .enumerationCase: ("VARCHAR", 5)
            case .attribute(let type):
                switch type {
                case .integer16, .integer32, .integer64, .boolean: ("INTEGER", 1)
                case .date: ("TIMESTAMP", 3)
                case .double, .float: ("FLOAT", 3)
                case .decimal: ("DECIMAL", 4)
                case .string: ("VARCHAR", 5)
                case .uri, .objectID: ("VARCHAR", 6)
                case .uuid: ("BLOB", 7)
                case .transformable: ("BLOB", 8)
                case .binary, .undefined, .composite: ("BLOB", 9)
                }
            }
        }
    }
}
