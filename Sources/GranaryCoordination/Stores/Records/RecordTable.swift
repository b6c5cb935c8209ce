package import GranaryModel

/// Objects of one entity, usually a concrete one, as a table of records.
///
/// The columns of an entity are, in this order: `$id`; the stored attributes, inherited ones first, a composite's
/// leaves by their path; the relationships. Left out is what a reader can derive: transient and derived attributes, and
/// the side of a relationship that the other side carries (``Schema/carries(_:)``).
package struct RecordTable: Sendable {
    package static let identifierColumn = "$id"
    /// The column with the name of each object's entity, for tables of several concrete entities.
    package static let entityColumn = "$entity"

    /// How a relationship's destinations are named.
    package enum Reference: Sendable {
        case id
        case key(NaturalKey)
    }

    package enum Content: Sendable {
        case identifier
        /// The name of the row's concrete entity.
        case entityName
        case attribute(Schema.Attribute)
        case relationship(Schema.Relationship, Reference)
        /// The value of an expression on the row, such as a key path.
        case computed(CompiledExpression)
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
        package static let entityName = Column(name: RecordTable.entityColumn, content: .entityName)

        fileprivate var isComputed: Bool { if case .computed = content { true } else { false } }
    }

    /// The index of the entity that the table is named after.
    package let entity: Int
    /// The objects of the table, and their order.
    package let search: StoreSearch
    package let columns: [Column]
    /// Whether a column is computed, so that rows need a ``RowSubject``.
    let hasComputedColumns: Bool
    /// The indexes of the columns in which NULL must be written explicitly.
    package let columnsNeedingNull: Set<Int>

    /// - Parameter search: the objects of the table; nil for all objects of `entity` without its subentities. If it
    ///   finds objects of subentities, the columns are properties that they inherit.
    package init(entity: Int, columns: [Column], search: StoreSearch? = nil) {
        self.entity = entity
        self.search = search ?? StoreSearch(entities: entity..<entity + 1)
        self.columns = columns
        hasComputedColumns = columns.contains(where: \.isComputed)
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
