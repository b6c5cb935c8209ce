package import GranaryModel

/// One concrete entity as a table of records: what stands in which column.
///
/// All columns of an entity are, in this order: `$id`; the attributes that a store keeps, inherited ones first, a
/// composite's leaves by their path; the relationships. Left out is only what a reader works out again: transient
/// and derived attributes, and the side of a relationship that its other side carries (``Schema/carries(_:)``).
package struct RecordTable: Sendable {
    package static let identifierColumn = "$id"

    /// How the objects that a relationship leads to are named.
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

        /// Whether its values may be keyed archives: most transformers of an app's own allow further classes, no more.
        var mayHoldArchives: Bool {
            guard case .attribute(let attribute) = content else { return false }
            return attribute.type == .transformable
        }

        package static let identifier = Column(name: RecordTable.identifierColumn, content: .identifier)
    }

    /// The concrete entity, as an index.
    package let entity: Int
    package let columns: [Column]
    /// The columns whose NULL is not what an absent value means, by index.
    package let columnsNeedingNull: Set<Int>

    package init(entity: Int, columns: [Column]) {
        self.entity = entity
        self.columns = columns
        // Absent means the model's default, so where there is one NULL has to be said.
        columnsNeedingNull = Set(
            columns.indices.filter { index in
                guard case .attribute(let attribute) = columns[index].content else { return false }
                return attribute.description.defaultValue != nil
            })
    }

    /// The table of an entity with all its columns, references by id: what an archive holds.
    package init(complete entity: Schema.Entity, of schema: Schema) {
        self.init(
            entity: entity.index,
            columns: [Column.identifier] + Self.attributeColumns(of: entity)
                + entity.relationships.filter { schema.carries($0) }.map {
                    Column(name: $0.name, content: .relationship($0, .id))
                })
    }

    /// The attributes that a store keeps and does not compute by itself.
    package static func attributeColumns(of entity: Schema.Entity) -> [Column] {
        entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }.map {
            Column(name: $0.name, content: .attribute($0))
        }
    }
}

extension Schema {
    /// Whether the links of a relationship are written at this side.
    ///
    /// A to-one always is. A to-many is where nothing else says the same: it has no inverse, or an order of its own, or
    /// its inverse is to-many too, has no order, and comes later by its entity's number and its name.
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
