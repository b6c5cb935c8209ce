import GranaryBase
import GranaryModel

/// The tables and columns of an export, worked out once before the first row.
///
/// All columns of an entity are, in this order: `$id`; the attributes that a store keeps, inherited ones first, a
/// composite's leaves by their path; the relationships. Left out is only what an importer works out again: transient
/// and derived attributes, and the side of a relationship that its other side carries (``carries(_:)``).
struct ExportPlan {
    static let identifierColumn = "$id"

    enum Reference {
        case id
        case key(NaturalKey)
    }

    enum Content {
        case identifier
        case attribute(Schema.Attribute)
        case relationship(Schema.Relationship, Reference)
    }

    struct Column {
        let name: String
        let content: Content
    }

    struct Table {
        /// The concrete entity, as an index.
        let entity: Int
        var columns: [Column]
        /// The columns whose NULL is not what an absent value means, by index.
        let columnsNeedingNull: Set<Int>
    }

    let schema: Schema
    let tables: [Table]

    /// - Throws: ``GranaryError`` with code `usage` for entities and columns that the model does not have.
    init(
        schema: Schema, options: ExportOptions, identifiers: ExportOptions.Identifiers
    ) throws(GranaryError) {
        self.schema = schema
        let entities = try Self.entities(schema, names: options.entities)
        var references = ReferenceChoice(schema: schema, style: options.reference)
        var columns: [[Column]] = []
        for entity in entities {
            columns.append(try Self.columns(of: schema.entities[entity], schema, options, &references))
        }
        if options.columns.isEmpty {
            let referred = Self.entitiesReferredToByID(columns, schema)
            for (index, entity) in entities.enumerated() {
                let hasKey = NaturalKey(of: schema.entities[entity], allowsSeveral: false) != nil
                guard identifiers == .always || referred.contains(entity) || !hasKey else { continue }
                columns[index].insert(Column(name: Self.identifierColumn, content: .identifier), at: 0)
            }
        } else {
            try Self.check(options.columns, entities: entities, columns, schema)
        }
        tables = zip(entities, columns).map { entity, columns in
            Table(entity: entity, columns: columns, columnsNeedingNull: Self.columnsNeedingNull(columns))
        }
    }

    /// The concrete entities that the names stand for, in the order of their numbers.
    static func entities(_ schema: Schema, names: [String]) throws(GranaryError) -> [Int] {
        guard !names.isEmpty else { return schema.entities.filter { !$0.isAbstract }.map(\.index) }
        var chosen: Set<Int> = []
        for name in names {
            guard let entity = schema.entity(named: name) else {
                let known = schema.entities.map(\.name).joined(separator: ", ")
                throw GranaryError(.usage, "the model has no entity \(name); it has \(known)")
            }
            let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
            guard !concrete.isEmpty else {
                throw GranaryError(.usage, "\(name) is abstract and has no subentity that could have objects")
            }
            chosen.formUnion(concrete)
        }
        return chosen.sorted()
    }

    private static func columns(
        of entity: Schema.Entity, _ schema: Schema, _ options: ExportOptions, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> [Column] {
        guard options.columns.isEmpty else {
            var columns: [Column] = []
            for name in options.columns {
                if let column = try column(name, of: entity, &references) { columns.append(column) }
            }
            return columns
        }
        var columns: [Column] = []
        for attribute in entity.attributes
        where attribute.isPersistent && attribute.description.derivationExpression == nil {
            columns.append(Column(name: attribute.name, content: .attribute(attribute)))
        }
        for relationship in entity.relationships where schema.carries(relationship) {
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            columns.append(Column(name: relationship.name, content: .relationship(relationship, reference)))
        }
        return columns
    }

    /// The column that the user asked for; nil where the entity does not have it.
    private static func column(
        _ name: String, of entity: Schema.Entity, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> Column? {
        if name == identifierColumn { return Column(name: name, content: .identifier) }
        switch entity.property(named: name) {
        case .attribute(let index)?:
            let attribute = entity.attributes[index]
            guard attribute.isPersistent else {
                throw GranaryError(.usage, "\(entity.name).\(name) is transient; no store keeps it")
            }
            return Column(name: name, content: .attribute(attribute))
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            guard relationship.isPersistent else {
                throw GranaryError(.usage, "\(entity.name).\(name) is transient; no store keeps it")
            }
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            return Column(name: name, content: .relationship(relationship, reference))
        case nil: return nil
        }
    }

    private static func check(
        _ names: [String], entities: [Int], _ columns: [[Column]], _ schema: Schema
    ) throws(GranaryError) {
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted { throw GranaryError(.usage, "the column \(name) is asked for twice") }
            if !columns.contains(where: { $0.contains { $0.name == name } }) {
                let places = entities.map { schema.entities[$0].name }.joined(separator: ", ")
                throw GranaryError(.usage, "there is no property \(name) in \(places)")
            }
        }
        for (entity, columns) in zip(entities, columns) where columns.isEmpty {
            throw GranaryError(
                .usage, "\(schema.entities[entity].name) has none of the columns asked for; leave the entity out")
        }
    }

    private static func entitiesReferredToByID(_ tables: [[Column]], _ schema: Schema) -> Set<Int> {
        var entities: Set<Int> = []
        for column in tables.joined() {
            guard case .relationship(let relationship, .id) = column.content else { continue }
            entities.formUnion(schema.entities[relationship.destination].family)
        }
        return entities
    }

    /// Absent means the model's default, so where there is one NULL has to be said.
    private static func columnsNeedingNull(_ columns: [Column]) -> Set<Int> {
        Set(
            columns.indices.filter { index in
                guard case .attribute(let attribute) = columns[index].content else { return false }
                return attribute.description.defaultValue != nil
            })
    }
}

extension Schema {
    /// Whether the links of a relationship are written at this side.
    ///
    /// A to-one always is. A to-many is where nothing else says the same: it has no inverse, or an order of its own, or
    /// its inverse is to-many too, has no order, and comes later by its entity's number and its name.
    func carries(_ relationship: Relationship) -> Bool {
        guard relationship.isPersistent else { return false }
        guard relationship.isToMany, let inverse = relationship.inverse else { return true }
        let other = entities[inverse.owner].relationships[inverse.relationship]
        guard other.isPersistent else { return true }
        if relationship.description.isOrdered { return true }
        guard other.isToMany, !other.description.isOrdered else { return false }
        return (relationship.owner, relationship.name) <= (other.owner, other.name)
    }
}
