import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The files of an export, each with the objects of one entity.
extension DiffInputs {
    /// Determines the entities and the columns of files.
    func survey(_ input: inout Input, _ sources: [ImportSource], _ schema: Schema) throws(GranaryError) {
        var contained: Set<String> = []
        for source in sources {
            let path = input.holdsOneEntity ? input.path : source.name
            let given = input.holdsOneEntity ? givenEntity(schema) : nil
            var entity = given ?? source.entity(in: schema)
            let isNamed = entity != nil || !input.holdsOneEntity
            let names = try RecordNames(of: source, readsAll: !isNamed, cancellation: options.cancellation)
            if !isNamed { entity = try self.entity(of: input, source, names, schema) }
            // The import reports a file whose entity is unknown.
            guard let entity else { continue }
            // A file of one entity stands for its subentities too. A folder has a file for each.
            let isFamily = input.holdsOneEntity || names.hasEntityColumn
            let entities = Set((isFamily ? Array(entity.family) : [entity.index]).map { schema.entities[$0].name })
            contained.formUnion(entities)
            if input.holdsOneEntity { input.entity = entity.name }
            if !names.columns.isEmpty {
                input.columns.append(
                    DiffColumns(names.columns, input.label, path, entities: entities))
            }
            let expressions = DiffColumns.note(
                onExpressions: source.sidecar, input.label, path, entity: entity.name)
            input.warnings += [expressions, warning(about: source, path, input.label, names, entity, schema)]
                .compactMap(\.self)
        }
        guard input.holdsOneEntity else { return limit(&input, to: contained, schema, "has no files of") }
        input.entities = contained
    }

    /// Limits the comparison to the entities of a document. A document of a whole store lists all entities.
    func limit(_ input: inout Input, _ schema: Schema) {
        // The import reports a document that cannot be read.
        guard let listed = input.content?.entities.compactMap(schema.entity(named:)), !listed.isEmpty else { return }
        let contained = Set(listed.flatMap(\.family).map { schema.entities[$0].name })
        limit(&input, to: contained, schema, "does not contain")
    }

    /// Limits the comparison to some entities, unless they are all, with a note that names the others.
    private func limit(_ input: inout Input, to contained: Set<String>, _ schema: Schema, _ verb: String) {
        let others = schema.entities.filter { !$0.isAbstract && !contained.contains($0.name) }.map(\.name)
        guard !others.isEmpty else { return }
        input.entities = contained
        guard options.entities.isEmpty else { return }
        input.warnings.append(
            Diagnostic(
                .headerMissing,
                "\(input.label): \(input.path) \(verb) \(DiffColumns.list(others)); they are not compared",
                severity: .warning))
    }

    /// The entity that the options name for a file of one entity.
    private func givenEntity(_ schema: Schema) -> Schema.Entity? {
        if options.entities.count == 1, let entity = schema.entity(named: options.entities[0]) { return entity }
        guard options.keys.count == 1 else { return nil }
        return options.keys.keys.first.flatMap(schema.entity(named:))
    }

    /// The entity of a file of one entity that neither the options nor its sidecar name: that of its name, or else that
    /// of its `$id`s.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if nothing names it.
    private func entity(
        of input: Input, _ source: ImportSource, _ names: RecordNames, _ schema: Schema
    ) throws(GranaryError) -> Schema.Entity {
        let name = source.entity ?? DataFormat.baseName(of: input.path)
        if let entity = schema.entity(named: name) { return entity }
        let found = names.entities.compactMap(schema.entity(named:))
        // The column $entity tells the entity of each record below a common one.
        let above = found.first.map { first in
            schema.entities.filter { other in
                other.family.contains(first.index) && found.allSatisfy { other.family.contains($0.index) }
            }
        }
        let nearest = above?.min { $0.family.count < $1.family.count }
        if let nearest, found.count == names.entities.count, found.count == 1 || names.hasEntityColumn {
            return nearest
        }
        throw GranaryError(
            .usage,
            "\(input.path): contains objects of one entity, and the model has no entity \"\(name)\""
                + NearestText.hint(for: name, in: schema.entities.map(\.name)), help: "--entity ENTITY")
    }

    /// A warning about a table without keys.
    private func warning(
        about source: ImportSource, _ path: String, _ label: String, _ names: RecordNames, _ entity: Schema.Entity,
        _ schema: Schema
    ) -> Diagnostic? {
        guard !source.nests, !names.hasIdentifiers, keys(of: entity, schema).isEmpty else { return nil }
        return Diagnostic(
            .headerMissing,
            "\(label): \(path) has no column $id, and \(entity.name) has no key: rows are paired by their number",
            severity: .warning, entity: entity.name, help: "--key \(entity.name)=ATTRIBUTE")
    }

    /// For each hierarchy of which a file has an `$id`, the last primary key of the other store. Rows of files without
    /// `$id` are paired by their number.
    func skippedKeys(
        of input: Input, _ schema: Schema, _ other: any StoreBackend
    ) throws -> [Int: Int64] {
        // A document tells its columns only at its end.
        let named =
            input.isDocument && input.sources?.contains(where: Self.namesObjects) == true
            ? schema.entities.map(\.root) : []
        let roots = Set(
            named
                + input.columns.filter { $0.contains(RecordTable.identifierColumn) }.flatMap(\.entities)
                .compactMap { schema.entity(named: $0)?.root })
        var keys: [Int: Int64] = [:]
        for root in roots {
            guard let entity = other.schema.entity(named: schema.entities[root].name) else { continue }
            keys[root] = try other.lastKey(root: entity.root)
        }
        return keys
    }
}
