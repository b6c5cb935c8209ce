import GranaryBase
import GranaryCoordination
import GranaryModel

/// The tables and columns of an export, determined once before the first row.
struct ExportPlan {
    let schema: Schema
    let tables: [RecordTable]

    /// - Throws: ``GranaryError`` with code `usage` for unknown entities and columns, and for a selection that does not
    ///   fit the entity.
    init(
        schema: Schema, options: ExportOptions, identifiers: ExportOptions.Identifiers
    ) throws(GranaryError) {
        self.schema = schema
        let entities = try Self.entities(schema, names: options.entities)
        let selection = try ExportSelection(schema: schema, options: options)
        if let selection { try selection.check(tables: entities.count) }
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
        tables = zip(entities, columns).map { entity, columns in
            RecordTable(entity: entity, columns: columns, search: selection?.search(entity..<entity + 1))
        }
    }

    /// The plan of a query: one table of an entity's objects and those of its subentities, with the columns of the
    /// entity.
    ///
    /// - Throws: as ``init(schema:options:identifiers:)``.
    init(querying name: String, schema: Schema, options: ExportOptions) throws(GranaryError) {
        self.schema = schema
        let concrete = try Self.entities(schema, names: [name])
        guard let entity = schema.entity(named: name) else { throw Self.unknownEntity(name, schema) }
        var options = options
        options.entities = [name]
        let selection = try ExportSelection(schema: schema, options: options)
        var references = ReferenceChoice(schema: schema, style: options.reference)
        var columns = try Self.columns(of: entity, schema, options, &references)
        if options.columns.isEmpty {
            let names: [RecordTable.Column] = concrete.count > 1 ? [.identifier, .entityName] : [.identifier]
            columns = names + columns
        } else {
            try Self.check(options.columns, entities: [entity.index], [columns], schema)
        }
        let search = selection?.search(entity.family) ?? StoreSearch(entities: entity.family)
        tables = [RecordTable(entity: entity.index, columns: columns, search: search)]
    }

    /// The named entities and their subentities without the abstract ones, in the order of their numbers.
    static func entities(_ schema: Schema, names: [String]) throws(GranaryError) -> [Int] {
        guard !names.isEmpty else { return schema.entities.filter { !$0.isAbstract }.map(\.index) }
        var chosen: Set<Int> = []
        for name in names {
            guard let entity = schema.entity(named: name) else { throw unknownEntity(name, schema) }
            let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
            guard !concrete.isEmpty else {
                throw GranaryError(.usage, "\(name) and its subentities are abstract, so they have no objects")
            }
            chosen.formUnion(concrete)
        }
        return chosen.sorted()
    }

    /// The error for an entity that the model does not have, with the most similar name or all names.
    static func unknownEntity(_ name: String, _ schema: Schema) -> GranaryError {
        let names = schema.entities.map(\.name)
        let hint = NearestText.hint(for: name, in: names)
        return GranaryError(
            .usage,
            "the model has no entity \"\(name)\""
                + (hint.isEmpty ? "; its entities are \(names.joined(separator: ", "))" : hint))
    }

    private static func columns(
        of entity: Schema.Entity, _ schema: Schema, _ options: ExportOptions, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> [RecordTable.Column] {
        guard options.columns.isEmpty else {
            var columns: [RecordTable.Column] = []
            for name in options.columns {
                if let column = try column(name, of: entity, schema, &references) { columns.append(column) }
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
        _ name: String, of entity: Schema.Entity, _ schema: Schema, _ references: inout ReferenceChoice
    ) throws(GranaryError) -> RecordTable.Column? {
        if name == RecordTable.identifierColumn { return .identifier }
        if name == RecordTable.entityColumn { return .entityName }
        switch entity.property(named: name) {
        case .attribute(let index)?:
            let attribute = entity.attributes[index]
            guard attribute.isPersistent else { throw TransientCheck.error(name, of: entity) }
            return RecordTable.Column(name: name, content: .attribute(attribute))
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            guard relationship.isPersistent else { throw TransientCheck.error(name, of: entity) }
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            return RecordTable.Column(name: name, content: .relationship(relationship, reference))
        case nil: return try keyPathColumn(name, of: entity, schema)
        }
    }

    /// The column of a key path, such as `injury.name` or `patients.@count`; nil if the entity does not have the
    /// property that the path begins with.
    private static func keyPathColumn(
        _ path: String, of entity: Schema.Entity, _ schema: Schema
    ) throws(GranaryError) -> RecordTable.Column? {
        // The name of a composite's element contains points.
        guard path.indices.contains(where: { path[$0] == "." && entity.property(named: String(path[..<$0])) != nil })
        else { return nil }
        let resolver = PredicateResolver(schema: schema, entity: entity)
        let expression = try resolver.resolve(ObjectExpression.keyPath(path))
        try TransientCheck(schema: schema, entity: entity).check(expression)
        return RecordTable.Column(name: path, content: .computed(CompiledExpression(expression)))
    }

    private static func check(
        _ names: [String], entities: [Int], _ columns: [[RecordTable.Column]], _ schema: Schema
    ) throws(GranaryError) {
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted { throw GranaryError(.usage, "the column \"\(name)\" is listed twice") }
            if !columns.contains(where: { $0.contains { $0.name == name } }) {
                let places = entities.map { schema.entities[$0].name }.joined(separator: ", ")
                let known = entities.flatMap { index in
                    schema.entities[index].attributes.map(\.name) + schema.entities[index].relationships.map(\.name)
                }
                throw GranaryError(
                    .usage,
                    "there is no property \"\(name)\" in \(places)"
                        // Only the first key of a path can be unknown here.
                        + NearestText.hint(for: String(name.prefix { $0 != "." }), in: known))
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
