package import GranaryModel

/// The columns of one concrete entity as a table of records.
///
/// The columns of an entity are, in this order: `$id`; the stored attributes, inherited ones first, a composite's
/// leaves by their path; the relationships. Left out is what a reader can derive: transient and derived attributes, and
/// the side of a relationship that the other side carries (``Schema/carries(_:)``).
package struct RecordTable: Sendable {
    package static let identifierColumn = "$id"

    /// How a relationship's destinations are named.
    package enum Reference: Sendable {
        case id
        case key(NaturalKey)
    }

    package enum Content: Sendable {
        case identifier
        case attribute(Schema.Attribute)
        case relationship(Schema.Relationship, Reference)
    }

    package struct Column: Sendable {
        package let name: String
        package let content: Content

        package init(name: String, content: Content) {
            self.name = name
            self.content = content
        }

        /// Whether its values may be keyed archives: most custom transformers only allow further classes.
        var mayHoldArchives: Bool {
            guard case .attribute(let attribute) = content else { return false }
            return attribute.type == .transformable
        }

        package static let identifier = Column(name: RecordTable.identifierColumn, content: .identifier)
    }

    /// The index of the concrete entity.
    package let entity: Int
    package let columns: [Column]
    /// The indexes of the columns in which NULL must be written explicitly.
    package let columnsNeedingNull: Set<Int>

    package init(entity: Int, columns: [Column]) {
        self.entity = entity
        self.columns = columns
        // A missing value means the model's default, so attributes with a default need an explicit NULL.
        columnsNeedingNull = Set(
            columns.indices.filter { index in
                guard case .attribute(let attribute) = columns[index].content else { return false }
                return attribute.description.defaultValue != nil
            })
    }

    /// Creates the table of an entity with all columns and references by id, as in archives.
    package init(complete entity: Schema.Entity, of schema: Schema) {
        self.init(
            entity: entity.index,
            columns: [Column.identifier] + Self.attributeColumns(of: entity)
                + entity.relationships.filter { schema.carries($0) }.map {
                    Column(name: $0.name, content: .relationship($0, .id))
                })
    }

    /// The stored attributes that are not derived.
    package static func attributeColumns(of entity: Schema.Entity) -> [Column] {
        entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }.map {
            Column(name: $0.name, content: .attribute($0))
        }
    }
}

extension Schema {
    /// Whether the links of a relationship are written on this side.
    ///
    /// To-ones always are. A to-many is if no other side has the same links: it has no inverse, or is ordered, or its
    /// inverse is an unordered to-many that comes later by entity number and name.
    package func carries(_ relationship: Relationship) -> Bool {
        guard relationship.isPersistent else { return false }
        guard relationship.isToMany, let inverse = relationship.inverse else { return true }
        let other = entities[inverse.owner].relationships[inverse.relationship]
        guard other.isPersistent else { return true }
        if relationship.description.isOrdered { return true }
        guard other.isToMany, !other.description.isOrdered else { return false }
        return (relationship.owner, relationship.name) <= (other.owner, other.name)
    }
}
