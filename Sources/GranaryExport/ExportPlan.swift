import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// The tables and columns of an export, determined once before the first row.
package struct ExportPlan {
    let schema: Schema
    let tables: [RecordTable]
    /// The to-one relationships that are left out because their inverses have the same links.
    private(set) var omitted: [Schema.Relationship] = []

    /// - Throws: ``GranaryError`` with code `usage` for unknown entities and columns, and for a selection that does not
    ///   fit the entity.
    init(
        schema: Schema, options: ExportOptions, identifiers: ExportOptions.Identifiers
    ) throws(GranaryError) {
        self.schema = schema
        let groups = try Self.groups(schema, options)
        let selection = try ExportSelection(schema: schema, options: options)
        if let selection { try selection.check(tables: groups.count) }
        let omitted =
            options.omitsInverses && selection == nil
            ? OmittedInverses(schema: schema, exported: Set(groups.flatMap(\.entities))) : nil
        if let omitted {
            for entity in Set(groups.flatMap(\.entities)).sorted() {
                let relationships = RecordTable.carriedRelationships(of: schema.entities[entity], schema)
                self.omitted += relationships.filter(omitted.contains)
            }
        }
        var references = ReferenceChoice(schema: schema, style: options.reference)
        var columns: [[RecordTable.Column]] = []
        for group in groups {
            columns.append(try Self.columns(of: group, schema, options, omitted, &references))
        }
        let nesting = try Nesting(options.nested, groups, schema)
        for (index, group) in groups.enumerated() {
            try nesting.apply(to: &columns[index], of: group, options, &references)
        }
        if options.columns.isEmpty {
            let referred = Self.entitiesReferredToByID(columns, schema)
            for (index, group) in groups.enumerated() {
                let hasKey = NaturalKey(of: schema.entities[group.entity], allowsSeveral: false) != nil
                let isReferred = group.entities.contains(where: referred.contains)
                guard identifiers == .always || isReferred || !hasKey else { continue }
                columns[index].insert(.identifier, at: 0)
            }
        } else {
            try Self.check(options.columns, entities: groups.map(\.entity), columns, schema)
        }
        tables = Nesting.inOrder(
            zip(groups, columns).map { group, columns in
                let search = selection?.search(group.rows) ?? StoreSearch(entities: group.rows)
                return RecordTable(entity: group.entity, columns: columns, search: search)
            })
    }

    /// The entities of one table.
    struct Group {
        /// The entity that the table is named after.
        let entity: Int
        /// The concrete entities of its rows.
        let entities: [Int]
        /// The entities that are searched for rows.
        let rows: Range<Int>
        /// Whether the table has rows of several entities, which its column `$entity` names.
        let isCombined: Bool
    }

    /// The tables of an export, in the order of writing.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for unknown entities.
    static func groups(_ schema: Schema, _ options: ExportOptions) throws(GranaryError) -> [Group] {
        let concrete = try entities(schema, names: options.entities)
        guard options.combinesSubentities else {
            return concrete.map { Group(entity: $0, entities: [$0], rows: $0..<$0 + 1, isCombined: false) }
        }
        let named = options.entities.compactMap { schema.entity(named: $0) }
        let tops = named.isEmpty ? schema.entities.filter { $0.superentity == nil } : named
        // An entity inside the family of another one is part of that one's table.
        let outer = Set(
            tops.map(\.index).filter { index in
                !tops.contains { $0.index != index && $0.family.contains(index) }
            })
        return outer.sorted().compactMap { index -> Group? in
            let family = schema.entities[index].family
            let entities = family.filter { !schema.entities[$0].isAbstract }
            guard !entities.isEmpty else { return nil }
            return Group(entity: index, entities: entities, rows: family, isCombined: family.count > 1)
        }
    }

    /// The plan of a query: one table of an entity's objects and those of its subentities, with the columns of the
    /// entity.
    ///
    /// - Throws: as ``init(schema:options:identifiers:)``.
    init(querying name: String, schema: Schema, options: ExportOptions) throws(GranaryError) {
        self.schema = schema
        let concrete = try Self.entities(schema, names: [name])
        guard let entity = schema.entity(named: name) else { throw schema.unknownEntity(name) }
        var options = options
        options.entities = [name]
        let selection = try ExportSelection(schema: schema, options: options)
        var references = ReferenceChoice(schema: schema, style: options.reference)
        var columns = try Self.columns(of: entity, schema, options, nil, &references)
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
            guard let entity = schema.entity(named: name) else { throw schema.unknownEntity(name) }
            let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
            guard !concrete.isEmpty else {
                throw GranaryError(.usage, "\(name) and its subentities are abstract, so they have no objects")
            }
            chosen.formUnion(concrete)
        }
        return chosen.sorted()
    }

    static func columns(
        of group: Group, _ schema: Schema, _ options: ExportOptions, _ omitted: OmittedInverses?,
        _ references: inout ReferenceChoice
    ) throws(GranaryError) -> [RecordTable.Column] {
        guard group.isCombined else {
            return try columns(of: schema.entities[group.entity], schema, options, omitted, &references)
        }
        var byEntity: [(entity: Int, columns: [RecordTable.Column])] = []
        for entity in group.entities {
            byEntity.append((entity, try columns(of: schema.entities[entity], schema, options, omitted, &references)))
        }
        var result: [RecordTable.Column] = []
        for name in names(of: byEntity.map { $0.columns }, options) {
            if name == RecordTable.identifierColumn {
                result.append(.identifier)
            } else if name == RecordTable.entityColumn {
                result.append(.entityName)
            } else {
                for (entity, columns) in byEntity {
                    let column = columns.first { $0.name.utf8.elementsEqual(name.utf8) }
                    if let column { result.append(column.restricted(to: entity)) }
                }
            }
        }
        return options.columns.isEmpty ? [.entityName] + result : result
    }

    /// The names of the columns of a table of several entities: the listed ones, or the attributes and then the
    /// relationships of all entities, each sorted by name. A name that is an attribute of one entity and a relationship
    /// of another is sorted with the attributes.
    private static func names(of columns: [[RecordTable.Column]], _ options: ExportOptions) -> [String] {
        guard options.columns.isEmpty else { return options.columns }
        var attributes: Set<[UInt8]> = []
        var relationships: Set<[UInt8]> = []
        for column in columns.joined() {
            let name = Array(column.name.utf8)
            if case .relationship = column.content { relationships.insert(name) } else { attributes.insert(name) }
        }
        relationships.subtract(attributes)
        func sorted(_ names: Set<[UInt8]>) -> [String] {
            names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
        }
        return sorted(attributes) + sorted(relationships)
    }

    private static func columns(
        of entity: Schema.Entity, _ schema: Schema, _ options: ExportOptions, _ omitted: OmittedInverses?,
        _ references: inout ReferenceChoice
    ) throws(GranaryError) -> [RecordTable.Column] {
        guard options.columns.isEmpty else {
            var columns: [RecordTable.Column] = []
            for name in options.columns {
                if let column = try column(name, of: entity, schema, &references) { columns.append(column) }
            }
            return columns.map { asFile($0, options) }
        }
        var columns = RecordTable.attributeColumns(of: entity).map { asFile($0, options) }
        for relationship in RecordTable.carriedRelationships(of: entity, schema)
        where !(omitted?.contains(relationship) ?? false) {
            let reference = try references.reference(to: relationship.destination, of: relationship, entity)
            columns.append(
                RecordTable.Column(name: relationship.name, content: .relationship(relationship, reference)))
        }
        return columns
    }

    /// The column, whose values go to files if the options say so.
    private static func asFile(_ column: RecordTable.Column, _ options: ExportOptions) -> RecordTable.Column {
        guard options.blobs == .files, case .attribute(let attribute) = column.content,
            attribute.type == .binary || attribute.type == .transformable,
            attribute.description.allowsExternalBinaryDataStorage
        else { return column }
        return RecordTable.Column(name: column.name, content: column.content, entity: column.entity, isFile: true)
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

extension ExportPlan {
    /// Whether a table, or an object inside its rows, has a column of dates.
    var hasDates: Bool {
        (tables + tables.flatMap(\.nestedTables).map(\.table)).contains { table in
            table.columns.contains { column in
                if case .attribute(let attribute) = column.content { attribute.type == .date } else { false }
            }
        }
    }
}
