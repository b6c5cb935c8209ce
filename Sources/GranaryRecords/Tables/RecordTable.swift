package import GranaryCoordination
package import GranaryModel
package import GranaryPredicates

/// Objects of one entity, usually a concrete one, as a table of records.
///
/// The columns of an entity are, in this order: `$id`; the stored attributes, a composite's leaves by their path; the
/// relationships. Attributes and relationships are sorted by the UTF-8 bytes of their names, so that the order does not
/// depend on the file that the model came from. Left out is what a reader can derive: transient and derived attributes,
/// and the side of a relationship that the other side carries (``Schema/carries(_:)``).
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
        /// The only entity whose rows have the column, as an index; nil if all rows of the table have it.
        package let entity: Int?
        /// Whether its values are written to files of their own, and the table contains the paths of these files.
        package let isFile: Bool
        /// The objects of a relationship that are written inside the row; nil if all are written as references.
        package let nested: NestedTable?

        package init(
            name: String, content: Content, entity: Int? = nil, isFile: Bool = false, nested: NestedTable? = nil
        ) {
            self.name = name
            self.content = content
            self.entity = entity
            self.isFile = isFile
            self.nested = nested
        }

        /// The column, restricted to the rows of one entity.
        package func restricted(to entity: Int) -> Column {
            Column(name: name, content: content, entity: entity, isFile: isFile, nested: nested)
        }

        /// Whether its values may be keyed archives: most custom transformers only allow further classes.
        var mayHoldArchives: Bool {
            guard case .attribute(let attribute) = content, !isFile else { return false }
            return attribute.type == .transformable
        }

        /// Whether its values may be JSON text, which formats with JSON contain as it is, and others as text.
        var mayHoldJSON: Bool {
            guard case .attribute(let attribute) = content, !isFile else { return false }
            return attribute.mayHoldJSON
        }

        package static let identifier = Column(name: RecordTable.identifierColumn, content: .identifier)
        package static let entityName = Column(name: RecordTable.entityColumn, content: .entityName)

        fileprivate var isComputed: Bool { if case .computed = content { true } else { false } }

        /// Whether the store or an expression computes the values, so that an import cannot take them.
        package var isExpression: Bool {
            switch content {
            case .computed: true
            case .attribute(let attribute): attribute.description.derivationExpression != nil
            case .identifier, .entityName, .relationship: false
            }
        }
    }

    /// The index of the entity that the table is named after.
    package let entity: Int
    /// The objects of the table, and their order.
    package let search: StoreSearch
    /// The columns. In a table of several entities, several columns can have one name, each for another entity.
    package let columns: [Column]
    /// The names of the columns that are written, each once.
    package let names: [String]
    /// The index in ``names`` of each element of ``columns``, in ascending order.
    let places: [Int]
    /// The indexes of the columns that the rows of an entity have; nil if all rows have all columns.
    private let columnsByEntity: [Int: [Int]]?
    /// The indexes of all columns.
    private let allColumns: [Int]
    /// Whether a column is computed, so that rows need a ``RowSubject``.
    let hasComputedColumns: Bool
    /// The indexes in ``names`` of the columns in which NULL must be written explicitly.
    package let columnsNeedingNull: Set<Int>

    /// - Parameter search: the objects of the table; nil for all objects of `entity` without its subentities. If it
    ///   finds objects of subentities, the columns are properties that they inherit.
    package init(entity: Int, columns: [Column], search: StoreSearch? = nil) {
        self.entity = entity
        self.search = search ?? StoreSearch(entities: entity..<entity + 1)
        self.columns = columns
        var names: [String] = []
        var places: [Int] = []
        for (index, column) in columns.enumerated() {
            // Columns of one name follow each other.
            let isSame = index > 0 && columns[index - 1].name.utf8.elementsEqual(column.name.utf8)
            if !isSame || column.entity == nil { names.append(column.name) }
            places.append(names.count - 1)
        }
        self.names = names
        self.places = places
        allColumns = Array(columns.indices)
        columnsByEntity = Self.columnsByEntity(columns, self.search.entities)
        hasComputedColumns = columns.contains(where: \.isComputed)
        // A missing value means the model's default, so attributes with a default need an explicit NULL.
        var needingNull: Set<Int> = []
        for (index, column) in columns.enumerated() {
            if case .attribute(let attribute) = column.content, attribute.description.defaultValue != nil {
                needingNull.insert(places[index])
            }
        }
        columnsNeedingNull = needingNull
    }

    private static func columnsByEntity(_ columns: [Column], _ entities: Range<Int>) -> [Int: [Int]]? {
        guard columns.contains(where: { $0.entity != nil }) else { return nil }
        var result: [Int: [Int]] = [:]
        for entity in entities {
            result[entity] = columns.indices.filter { columns[$0].entity ?? entity == entity }
        }
        return result
    }

    /// The indexes of the columns that the rows of an entity have.
    func columns(ofRowsOf entity: Int) -> [Int] {
        guard let columnsByEntity else { return allColumns }
        return columnsByEntity[entity] ?? []
    }

    /// Creates the table of an entity with all columns and references by id, as in archives.
    package init(complete entity: Schema.Entity, of schema: Schema) {
        self.init(
            entity: entity.index,
            columns: [Column.identifier] + Self.attributeColumns(of: entity)
                + Self.carriedRelationships(of: entity, schema).map {
                    Column(name: $0.name, content: .relationship($0, .id))
                })
    }

    /// The stored attributes that are not derived, sorted by name.
    package static func attributeColumns(of entity: Schema.Entity) -> [Column] {
        entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }
            .sorted { utf8Less($0.name, $1.name) }.map { Column(name: $0.name, content: .attribute($0)) }
    }

    /// The relationships that the entity's side carries, sorted by name.
    package static func carriedRelationships(of entity: Schema.Entity, _ schema: Schema) -> [Schema.Relationship] {
        entity.relationships.filter { schema.carries($0) }.sorted { utf8Less($0.name, $1.name) }
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
