import GranaryBase
import GranaryCoordination
import GranaryModel

/// The tables and columns of an export, determined once before the first row.
struct ExportPlan {
    let schema: Schema
    let tables: [RecordTable]

    /// - Throws: ``GranaryError`` with code `usage` for unknown entities and columns.
    init(
        schema: Schema, options: ExportOptions, identifiers: ExportOptions.Identifiers
    ) throws(GranaryError) {
        self.schema = schema
        let entities = try Self.entities(schema, names: options.entities)
        var references = ReferenceChoice(schema: schema, style: options.reference)
        var columns: [[RecordTable.Column]] = []
        for entity in entities {
            columns.append(try Self.columns(of: schema.entities[entity], schema, options, &references))
        }
        if options.columns.isEmpty {
            let referred = Self.entitiesReferredToByID(columns, schema)
            for (index, entity) in entities.enumerated() {
                let hasKey = NaturalKey(of: schema.entities[entity], allowsSeveral: false) != nil
                guard identifiers == .always || referred.contains(entity) || !hasKey else { continue }
                columns[index].insert(.identifier, at: 0)
            }
        } else {
            try Self.check(options.columns, entities: entities, columns, schema)
        }
        tables = zip(entities, columns).map { RecordTable(entity: $0, columns: $1) }
    }

    /// The named entities and their subentities without the abstract ones, in the order of their numbers.
    static func entities(_ schema: Schema, names: [String]) throws(GranaryError) -> [Int] {
        guard !names.isEmpty else { return schema.entities.filter { !$0.isAbstract }.map(\.index) }
        var chosen: Set<Int> = []
        for name in names {
            guard let entity = schema.entity(named: name) else {
                let known = schema.entities.map(\.name).joined(separator: ", ")
                throw GranaryError(.usage, "the model has no entity \"\(name)\"; its entities are \(known)")
            }
            let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
            guard !concrete.isEmpty else {
                throw GranaryError(.usage, "\(name) and its subentities are abstract, so they have no objects")
            }
            chosen.formUnion(concrete)
        }
        return chosen.sorted()
    }

    private static func columns(
        of entity: Schema.Entity, _ schema: Schema, _ options: ExportOptions, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> [RecordTable.Column] {
        guard options.columns.isEmpty else {
            var columns: [RecordTable.Column] = []
            for name in options.columns {
                if let column = try column(name, of: entity, &references) { columns.append(column) }
            }
            return columns
        }
        var columns = RecordTable.attributeColumns(of: entity)
        for relationship in entity.relationships where schema.carries(relationship) {
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            columns.append(
                RecordTable.Column(name: relationship.name, content: .relationship(relationship, reference)))
        }
        return columns
    }

    /// The column with a name; nil if the entity does not have it.
    private static func column(
        _ name: String, of entity: Schema.Entity, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> RecordTable.Column? {
        if name == RecordTable.identifierColumn { return .identifier }
        switch entity.property(named: name) {
        case .attribute(let index)?:
            let attribute = entity.attributes[index]
            guard attribute.isPersistent else { throw transient(name, of: entity) }
            return RecordTable.Column(name: name, content: .attribute(attribute))
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            guard relationship.isPersistent else { throw transient(name, of: entity) }
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            return RecordTable.Column(name: name, content: .relationship(relationship, reference))
        case nil: return nil
        }
    }

    private static func transient(_ name: String, of entity: Schema.Entity) -> GranaryError {
        GranaryError(.usage, "\(entity.name).\(name) is transient, so it is not in the store")
    }

    private static func check(
        _ names: [String], entities: [Int], _ columns: [[RecordTable.Column]], _ schema: Schema
    ) throws(GranaryError) {
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted { throw GranaryError(.usage, "the column \"\(name)\" is listed twice") }
            if !columns.contains(where: { $0.contains { $0.name == name } }) {
                let places = entities.map { schema.entities[$0].name }.joined(separator: ", ")
                throw GranaryError(.usage, "there is no property \"\(name)\" in \(places)")
            }
        }
        for (entity, columns) in zip(entities, columns) where columns.isEmpty {
            throw GranaryError(
                .usage, "\(schema.entities[entity].name) has none of the listed columns")
        }
    }

    private static func entitiesReferredToByID(_ tables: [[RecordTable.Column]], _ schema: Schema) -> Set<Int> {
        var entities: Set<Int> = []
        for column in tables.joined() {
            guard case .relationship(let relationship, .id) = column.content else { continue }
            entities.formUnion(schema.entities[relationship.destination].family)
        }
        return entities
    }
}
