#if PostgreSQL
    import GranaryModel

    /// The table of a root entity and all its subentities.
    struct EntityTable: Sendable {
        let name: String
        /// The index of the root entity.
        let root: Int
        /// The sequence of the primary keys.
        let sequence: String
        /// The columns after the primary key, the entity and the version.
        var columns: [Column] = []

        // A model's names are identifiers, which have no `$`, so these cannot be the names of attributes.
        static let key = "$id"
        static let entity = "$entity"
        static let version = "$version"
        /// At the end of the name of the column with the seconds of a date.
        static let secondsSuffix = "$seconds"
        /// At the end of the name of the column with the place of an object in an ordered relationship.
        static let orderSuffix = "$order"

        /// A column and its content.
        struct Column: Sendable {
            enum Content: Sendable, Hashable {
                case attribute(AttributeType)
                /// The key of the destination of a to-one.
                case reference
                /// The place in the ordered relationship whose inverse is the to-one with the same slot.
                case order
            }

            let name: String
            let content: Content
            /// The index of the entity that declares the property.
            let entity: Int
            /// The slot of the property.
            let slot: Int
            /// The name of the property.
            let property: String
            /// For a date, the name of the column with the same time as `timestamptz`, which the server computes.
            var time: String?
            /// Whether the column is NOT NULL.
            var isRequired = false
            /// Whether a unique index or an index of the model contains the column.
            var isIndexed = false

            var type: SQLType {
                if case .attribute(let type) = content { SQLType(type) } else { .bigint }
            }
        }

        /// The index of the column of a property.
        func column(of entity: Int, slot: Int, order: Bool = false) -> Int? {
            columns.firstIndex { $0.entity == entity && $0.slot == slot && ($0.content == .order) == order }
        }
    }
#endif
