import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import GranarySQLite

/// Finds the model of a store, in a transaction.
struct StoreModelReader {
    private let connection: Connection
    private let path: String
    private let objects: [SchemaObject]
    private let metadata: StoreMetadata
    private let present: PresentTables
    private let numbers: EntityNumbers

    /// The largest model cache, in bytes, that is read. The largest known one has less than 100,000 bytes.
    static let cacheLimit = 16 << 20

    init(_ connection: Connection, path: String) throws {
        self.connection = connection
        self.path = path
        objects = try connection.schema()
        metadata = try StoreMetadata.read(connection, objects)
        present = try PresentTables(connection, objects)
        numbers = try EntityNumbers(connection)
    }

    func read(
        given: ManagedObjectModel?, toleratesDanglingKeys: Bool = false, allowsPart: Bool = true
    ) throws -> StoreModel {
        var warnings = DiagnosticCollector(limit: 1000)
        if let given {
            let schema = try given.resolved(numbers: numbers.numbers(for: given))
            if allowsPart, let part = partSchema(of: given) {
                return StoreModel(schema: part, source: .given, warnings: [partNote(part, of: given)])
            }
            guard hasUnconfirmedHashes(schema), let cached = try cachedSchema(&warnings),
                cached.versionHashes == schema.versionHashes
            else { return StoreModel(schema: schema, source: .given, warnings: []) }
            return StoreModel(
                schema: schema, source: .given, warnings: [unconfirmedWarning(schema)], comparesHashes: false)
        }
        if let schema = try cachedSchema(&warnings) {
            let isUnconfirmed = hasUnconfirmedHashes(schema)
            if isUnconfirmed { warnings.add(unconfirmedWarning(schema)) }
            return StoreModel(
                schema: schema, source: .cache, warnings: warnings.diagnostics, comparesHashes: !isUnconfirmed)
        }
        let schema = try inferredSchema(&warnings, toleratesDanglingKeys)
        return StoreModel(schema: schema, source: .inferred, warnings: warnings.diagnostics)
    }

    func cachedModel(_ diagnostics: inout DiagnosticCollector) throws -> ManagedObjectModel? {
        guard let content = try cacheContent() else { return nil }
        let model = try ModelCache.read(content, source: path, diagnostics: &diagnostics)
        // Other problems of the model are reported when it is used.
        if let schema = try? model.resolved(numbers: numbers.numbers(for: model)), let warning = staleness(of: schema) {
            diagnostics.add(warning)
        }
        return model
    }

    /// The model in the store; nil, with a warning, if it cannot be trusted: a wrong model would silently give wrong
    /// values.
    private func cachedSchema(_ warnings: inout DiagnosticCollector) throws -> Schema? {
        do {
            guard let content = try cacheContent() else { return nil }
            var found = DiagnosticCollector(limit: 1000)
            let model = try ModelCache.read(content, source: path, diagnostics: &found)
            if let part = partSchema(of: model) {
                warnings.add(contentsOf: found.diagnostics)
                warnings.add(partNote(part, of: model))
                return part
            }
            let schema = try model.resolved(numbers: numbers.numbers(for: model))
            if let warning = staleness(of: schema), !hasUnconfirmedHashes(schema) {
                warnings.add(warning)
                return nil
            }
            warnings.add(contentsOf: found.diagnostics)
            return schema
        } catch let error as GranaryError {
            guard error.code == .refused else { throw error }
            let reason = error.diagnostics.first.map { ": \($0.message)" } ?? ""
            warnings.add(
                Diagnostic(
                    .modelSyntax,
                    "\(path): the model in the store (Z_MODELCACHE) cannot be used: \(error.message)"
                        + (reason == ": \(error.message)" ? "" : reason),
                    severity: .warning))
            return nil
        }
    }

    /// The part of a model for which a store of one configuration was created; nil if the store does not match a part.
    private func partSchema(of model: ManagedObjectModel) -> Schema? {
        let stored = Set(metadata.versionHashes.keys)
        let names = Set(model.entities.map(\.name))
        guard !stored.isEmpty, stored.isStrictSubset(of: names) else { return nil }
        let part = model.part(named: stored)
        guard let schema = try? part.resolved(numbers: numbers.numbers(for: part)),
            metadata.differences(from: schema).isEmpty
        else { return nil }
        return schema
    }

    private func partNote(_ part: Schema, of model: ManagedObjectModel) -> Diagnostic {
        Diagnostic(
            .storeMismatch,
            "\(path): the store has \(part.entities.count) of the model's \(model.entities.count) entities, as a store of "
                + "one configuration does", severity: .note)
    }

    /// Whether the model has the store's entities, and all differing hashes follow rules that are not known.
    private func hasUnconfirmedHashes(_ schema: Schema) -> Bool {
        let differing = differingEntities(from: schema)
        return !differing.isEmpty && Set(metadata.versionHashes.keys) == Set(schema.versionHashes.keys)
            && differing.allSatisfy { schema.entity(named: $0).map(schema.hasUnconfirmedHash) == true }
    }

    /// The entities whose version hashes differ from the store's.
    private func differingEntities(from schema: Schema) -> [String] {
        metadata.differences(from: schema).compactMap(\.entity)
    }

    private func unconfirmedWarning(_ schema: Schema) -> Diagnostic {
        let names = differingEntities(from: schema).map { Diagnostic.shortened($0) }.joined(separator: ", ")
        return Diagnostic(
            .storeMismatch,
            "\(path): Granary cannot compute the version hash of \(names); the model equals the one in the store "
                + "(Z_MODELCACHE)",
            severity: .warning)
    }

    /// A warning if the version hashes of a cached model differ from the store's.
    private func staleness(of schema: Schema) -> Diagnostic? {
        let differences = metadata.differences(from: schema)
        guard let first = differences.first else { return nil }
        let more = differences.count > 1 ? " and \(differences.count - 1) more" : ""
        return Diagnostic(
            .storeMismatch,
            "\(path): the model in the store (Z_MODELCACHE) is not the one for which it was written: "
                + "\(Diagnostic.shortened(first.entity ?? ""))\(more)",
            severity: .warning)
    }

    /// The bytes of the model cache; nil if there are none.
    private func cacheContent() throws -> [UInt8]? {
        guard present["Z_MODELCACHE"]?.contains("Z_CONTENT") == true else { return nil }
        let rows = "FROM Z_MODELCACHE WHERE typeof(Z_CONTENT) = 'blob' AND length(Z_CONTENT) > 0 LIMIT 1"
        guard let length = try connection.integer("SELECT length(Z_CONTENT) \(rows)") else { return nil }
        guard length <= Int64(Self.cacheLimit) else {
            throw GranaryError(
                Diagnostic(.limitExceeded, "the model cache is larger than the limit of \(Self.cacheLimit) bytes"))
        }
        return try connection.withStatement("SELECT Z_CONTENT \(rows)") { statement -> [UInt8]? in
            guard try statement.step() else { return nil }
            return Array(try statement.blob(at: 0))
        }
    }

    private func inferredSchema(
        _ warnings: inout DiagnosticCollector, _ toleratesDanglingKeys: Bool
    ) throws -> Schema {
        let problems = numbers.problems()
        guard problems.isEmpty else { throw refusal(problems) }
        var inference = ModelInference(
            connection: connection, present: present, tableNames: objects.map(\.name), numbers: numbers)
        inference.toleratesDanglingKeys = toleratesDanglingKeys
        let model = try inference.run()
        guard inference.problems.isEmpty else { throw refusal(inference.problems) }
        let schema: Schema
        do throws(GranaryError) {
            schema = try model.resolved(numbers: numbers.numbers(for: model))
        } catch {
            throw refusal(error.diagnostics)
        }
        let layout = StoreLayoutBuilder.layout(for: schema, present: present)
        let check = LayoutCheck(connection: connection, schema: schema, layout: layout, present: present)
        let differences = try check.problems()
        guard differences.isEmpty else { throw refusal(differences) }
        warnings.add(contentsOf: inference.warnings.diagnostics)
        warnings.add(contentsOf: inference.leftovers(layout))
        return schema
    }

    private func refusal(_ problems: [Diagnostic]) -> GranaryError {
        GranaryError(
            .refused,
            "\(path): the store contains no usable model, and none can be inferred from its tables",
            diagnostics: problems)
    }
}
