import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryRecords

/// Exports as inputs of a comparison.
extension DiffInputs {
    /// Imports an export into a temporary store; returns a store unchanged.
    ///
    /// - Parameter avoided: the store whose primary keys records without `$id` must not get, because they would be
    ///   paired by chance.
    func restored(_ input: Input, beside other: Input, avoiding avoided: (any StoreBackend)?) throws -> Input {
        guard let sources = input.sources else { return input }
        do {
            return try translating {
                let schema = try schema(for: input, beside: other)
                var input = input
                if input.isDocument { limit(&input, schema) } else { try survey(&input, sources, schema) }
                let references = try references(of: input, schema, other.store)
                return try restored(input, sources, schema, references, avoided)
            }
        } catch let error as GranaryError where error.code != .interrupted {
            throw error.labelled(input.label)
        }
    }

    private func restored(
        _ input: Input, _ sources: [ImportSource], _ schema: Schema, _ references: ImportJob?,
        _ avoided: (any StoreBackend)?
    ) throws -> Input {
        var input = input
        var run = ImportRunOptions()
        run.keepsLedger = false
        run.cancellation = options.cancellation
        if let avoided { run.skippedKeys = try skippedKeys(of: input, schema, avoided) }
        let path = folder.path(input.label + ".sqlite")
        let store = try SQLiteStore.create(path: path, schema: schema)
        let report = try Importer(jobs: jobs(input.entity, sources, references, schema), run: run).run(into: store)
        guard !report.isRefused else {
            let errors = report.diagnostics.filter { $0.severity == .error }
            throw GranaryError(
                .refused, "\(input.path): the export cannot be restored as a store",
                diagnostics: errors)
        }
        try store.publish()
        let reading = try SQLiteStore.open(path: path, schema: schema, readOnly: true, once: true)
        reading.leavesFiles = true
        input.store = reading
        return input
    }

    /// A comparison is not a check: old stores break rules of their models, and their exports do too.
    private static func importOptions(ignoring columns: Set<String> = []) -> ImportOptions {
        var options = ImportOptions()
        options.ignoredColumns = columns
        options.checksIgnoredColumns = false
        options.restoresAsIs = true
        options.restoresParts = true
        return options
    }

    /// The jobs in the order in which their objects get keys: first the objects with an `$id`, then the objects of the
    /// other store, then the objects without an `$id`. The objects of the other store keep their keys only if these are
    /// free.
    private func jobs(
        _ entity: String?, _ sources: [ImportSource], _ references: ImportJob?, _ schema: Schema
    ) -> [ImportJob] {
        let importOptions = Self.importOptions(ignoring: DiffIgnored.columns(options.ignored, in: schema))
        guard sources.count > 1 || references != nil else {
            return [ImportJob(entity: entity, sources: sources, options: importOptions)]
        }
        var (named, others): ([ImportSource], [ImportSource]) = ([], [])
        for source in sources { if Self.namesObjects(source) { named.append(source) } else { others.append(source) } }
        var jobs: [ImportJob] = []
        if !named.isEmpty { jobs.append(ImportJob(entity: entity, sources: named, options: importOptions)) }
        if let references { jobs.append(references) }
        if !others.isEmpty { jobs.append(ImportJob(entity: entity, sources: others, options: importOptions)) }
        return jobs
    }

    private static let surveyedRecords = 10_000

    static func namesObjects(_ source: ImportSource) -> Bool {
        guard let reader = try? source.makeReader(), (try? reader.readHeader()) != nil else { return true }
        if reader.columns.isEmpty {
            // The names of members are known as far as the records were read.
            var record = Record()
            for _ in 0..<surveyedRecords where !reader.columns.contains(RecordTable.identifierColumn) {
                guard let outcome = try? reader.next(into: &record) else { break }
                if case .end = outcome { break }
            }
        }
        return reader.columns.isEmpty || reader.columns.contains(RecordTable.identifierColumn)
    }

    // MARK: - References

    /// The objects of the other store to which the compared entities refer by key and which the export does not
    /// contain. Nil if there are none, or if all entities are compared.
    private func references(
        of input: Input, _ schema: Schema, _ other: (any StoreBackend)?
    ) throws -> ImportJob? {
        guard let compared = compared(of: input, schema), let other else { return nil }
        let listed = (input.content?.entities ?? []).compactMap(schema.entity(named:)).flatMap(\.family)
        let contained = compared.union(listed)
        var needed: Set<Int> = []
        for relationship in compared.flatMap({ schema.entities[$0].relationships }) where relationship.isPersistent {
            needed.formUnion(schema.entities[relationship.destination].family)
        }
        let entities = needed.sorted().map { schema.entities[$0] }.filter { !contained.contains($0.index) }
        let tables = entities.compactMap { entity -> RecordTable? in
            guard let found = other.schema.entity(named: entity.name), !found.isAbstract else { return nil }
            let names = keys(of: entity, schema)
            let columns = RecordTable.attributeColumns(of: found).filter { names.contains($0.name) }
            return RecordTable(entity: found.index, columns: [RecordTable.Column.identifier] + columns)
        }
        guard !tables.isEmpty else { return nil }
        let path = folder.path(input.label + "-references.json")
        var json = JSONWriter.Options()
        json.shape = .document
        json.dates = .seconds
        let writer = JSONWriter(try ByteOutput.file(path, replacing: false), options: json)
        try other.reading {
            for table in tables {
                try other.writeRecords(
                    of: table, batchSize: 512, into: writer, irregular: IrregularValues(),
                    cancellation: options.cancellation)
            }
        }
        try writer.finish(model: nil)
        var reading = Self.importOptions()
        reading.dateFormats = [.seconds]
        reading.yields = true
        return ImportJob(entity: nil, sources: [Self.source(path)], options: reading)
    }

    /// The entities of an export that are compared, as indexes; nil for all.
    private func compared(of input: Input, _ schema: Schema) -> Set<Int>? {
        if let entities = input.entities { return Set(entities.compactMap { schema.entity(named: $0)?.index }) }
        guard !options.entities.isEmpty else { return nil }
        return Set(options.entities.compactMap(schema.entity(named:)).flatMap(\.family))
    }

    /// The names of the attributes that pair the objects of an entity, or by which references name them.
    func keys(of entity: Schema.Entity, _ schema: Schema) -> Set<String> {
        var keys: Set<String> = []
        if !options.sharedKeys.isEmpty { keys.formUnion(options.sharedKeys.flatMap(\.self)) }
        for severalAllowed in [false, true] {
            keys.formUnion(NaturalKey(of: entity, allowsSeveral: severalAllowed)?.attributes.map(\.name) ?? [])
        }
        var next: Schema.Entity? = entity
        while let current = next {
            keys.formUnion(options.keys[current.name] ?? [])
            next = current.superentity.map { schema.entities[$0] }
        }
        return keys
    }

    // MARK: - Models

    /// The model of an export: the given one, or else that of the document, or else that of the other side. An inferred
    /// model is used only if there is no complete one.
    private func schema(for input: Input, beside other: Input) throws(GranaryError) -> Schema {
        if let model = options.model { return try model.resolved() }
        let own = embeddedModel(input)
        if let own, !own.isInferred { return own.schema }
        if let schema = other.store?.schema { return schema }
        if other.sources != nil, let embedded = embeddedModel(other), !embedded.isInferred || own == nil {
            return embedded.schema
        }
        if let own { return own.schema }
        throw GranaryError(.usage, "\(input.path): neither export contains a model; name it", help: "--model MODEL")
    }

    /// The model in a JSON document or a property list; nil if there is none or it cannot be read. The import reports
    /// problems of the records.
    private func embeddedModel(_ input: Input) -> (schema: Schema, isInferred: Bool)? {
        guard let found = try? input.content?.decodedModel(), let schema = try? found.model.resolved() else {
            return nil
        }
        return (schema, found.isInferred)
    }
}
