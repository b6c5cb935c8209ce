import GranaryBase

/// The schema that a model is made of: the one that the user names, or the only one that can be meant.
struct SchemaChoice {
    private(set) var schema: SchemaDeclaration?
    private(set) var models: [SourceTypeID] = []
    /// What was chosen without the user's word.
    private(set) var notes: [Diagnostic] = []

    /// - Throws: ``GranaryError``: `refused` if the named schema or class does not exist, if several can be meant, or if
    ///   its models are not a list.
    init(
        index: SourceIndex, schemas: [SchemaDeclaration], options: SwiftDataOptions, paths: [String]
    ) throws(GranaryError) {
        let place = paths.joined(separator: ", ")
        if let name = options.schema { schema = try Self.schema(named: name, index, schemas, place) }
        if !options.modelClasses.isEmpty {
            for name in options.modelClasses { models.append(try Self.model(named: name, index, schema, place)) }
            return
        }
        if schema == nil { schema = try Self.onlySchema(index, schemas, place, &notes) }
        if let schema {
            if let problem = schema.problem {
                throw GranaryError(
                    Diagnostic(
                        .modelUndecided, problem, at: schema.position, help: "--model-class NAME for each class"))
            }
            models = schema.models
            return
        }
        models = index.models
        guard !models.isEmpty else {
            throw GranaryError(Diagnostic(.modelReference, "\(place): there is no class with @Model"))
        }
        let names = models.map { index[$0].bareName }.sorted().joined(separator: ", ")
        notes.append(
            Diagnostic(
                .modelUndecided, "\(place): the schema is all classes with @Model: \(names)", severity: .note))
    }

    private static func schema(
        named name: String, _ index: SourceIndex, _ schemas: [SchemaDeclaration], _ place: String
    ) throws(GranaryError) -> SchemaDeclaration {
        let found = index.find(name.split(separator: ".").map(String.init), from: []).ids.map { index[$0].name }
        let named = schemas.filter { found.contains($0.name) }
        if let schema = named.first {
            guard let other = named.dropFirst().first else { return schema }
            throw GranaryError(
                Diagnostic(
                    .modelDuplicate, "there are two schemas \(schema.name); name the files of one of them",
                    at: schema.position, related: [other.position]))
        }
        // `SchemaV2` for `Storage.SchemaV2`.
        let inner = schemas.filter { $0.name.hasSuffix("." + name) }
        if let schema = inner.first, inner.count == 1 { return schema }
        let names = schemas.map(\.name)
        throw GranaryError(
            Diagnostic(
                .modelReference,
                "\(place): there is no VersionedSchema \"\(Diagnostic.shortened(name))\""
                    + (names.isEmpty ? "" : "; there are \(names.joined(separator: ", "))")
                    + NearestText.hint(for: name, in: names)))
    }

    private static func model(
        named name: String, _ index: SourceIndex, _ schema: SchemaDeclaration?, _ place: String
    ) throws(GranaryError) -> SourceTypeID {
        let scope = schema.map { $0.name.split(separator: ".").map(String.init) } ?? []
        var found = index.find(name.split(separator: ".").map(String.init), from: scope).ids.filter {
            index[$0].isModel
        }
        if found.isEmpty {
            found = index.models.filter { index[$0].name == name || index[$0].name.hasSuffix("." + name) }
        }
        guard let id = found.first else {
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(place): there is no class \"\(Diagnostic.shortened(name))\" with @Model"
                        + NearestText.hint(for: name, in: index.models.map { index[$0].bareName })))
        }
        guard found.count == 1 else {
            let names = found.map { index[$0].name }.joined(separator: ", ")
            throw GranaryError(
                Diagnostic(
                    .modelReference, "\(place): several classes are named \(name): \(names)", at: index[id].position))
        }
        return id
    }

    /// The last schema of the only migration plan, or the only schema; nil if there is none.
    private static func onlySchema(
        _ index: SourceIndex, _ schemas: [SchemaDeclaration], _ place: String, _ notes: inout [Diagnostic]
    ) throws(GranaryError) -> SchemaDeclaration? {
        guard let first = schemas.first else { return nil }
        let plans = SchemaReader(index: index).plans()
        if let plan = plans.first, plans.count == 1, let last = plan.schemas.last,
            let schema = schemas.first(where: { $0.name == last })
        {
            notes.append(
                Diagnostic(
                    .modelUndecided, "\(place): the schema is \(last), the last of \(plan.name)", severity: .note,
                    at: schema.position))
            return schema
        }
        guard schemas.count == 1 else {
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(place): there are the schemas \(schemas.map(\.name).joined(separator: ", "))",
                    at: first.position, help: "--schema \(schemas.last?.name ?? "")"))
        }
        notes.append(
            Diagnostic(.modelUndecided, "\(place): the schema is \(first.name)", severity: .note, at: first.position))
        return first
    }
}
