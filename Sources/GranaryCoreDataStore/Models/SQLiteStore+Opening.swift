import Foundation
package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryModelFiles

extension SQLiteStore {
    /// Opens a store for reading; its file is not changed.
    ///
    /// - Parameters:
    ///   - model: the model; nil to use the model in the store or, if it contains none, a model inferred from its
    ///     tables.
    ///   - warnings: receives warnings about the model, and a note if another process has locked the store, so that it is
    ///     read from a copy.
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` if it is not a Core Data store, was written
    ///   for another model, or has no model and its tables do not determine one; `busy` if another process holds it too
    ///   long.
    package static func openForReading(
        path: String, model: ManagedObjectModel?, busyTimeout: Duration, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> SQLiteStore {
        try openForReading(path: path, model: model, busyTimeout: busyTimeout, once: true, warnings: &warnings)
    }

    /// Opens a store that is read many times while others change it; its file is not changed.
    ///
    /// Unlike with ``openForReading(path:model:busyTimeout:warnings:)``, searches use the store's indexes and do not check
    /// tables first: each of them reads little.
    ///
    /// - Throws: as ``openForReading(path:model:busyTimeout:warnings:)``.
    package static func openForBrowsing(
        path: String, model: ManagedObjectModel?, busyTimeout: Duration, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> SQLiteStore {
        try openForReading(path: path, model: model, busyTimeout: busyTimeout, once: false, warnings: &warnings)
    }

    private static func openForReading(
        path: String, model: ManagedObjectModel?, busyTimeout: Duration, once: Bool, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> SQLiteStore {
        let found = try StoreModel.read(path: path, given: model, busyTimeout: busyTimeout)
        warnings += found.allWarnings(path: path)
        let store = try open(
            path: path, schema: found.schema, readOnly: true, busyTimeout: found.isOfCopy ? .zero : busyTimeout,
            isInferred: found.source == .inferred, comparesHashes: found.comparesHashes, once: once)
        store.verifiesTables = once
        if let note = StoreGlance.note(store.connection) { warnings.append(note) }
        return store
    }

    /// The model of a store that will be written: the given one, or the one that the store contains.
    ///
    /// - Throws: ``GranaryError``: `usage` if the store does not exist and no model is given; `refused` if the store
    ///   contains none, or the given one has problems.
    package static func schemaForWriting(
        path: String, model: ManagedObjectModel?, busyTimeout: Duration, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> Schema {
        if let model { return try model.resolved() }
        guard FileManager.default.fileExists(atPath: path) else {
            throw GranaryError(.usage, "a model is needed: \(path) does not exist")
        }
        let found = try StoreModel.read(path: path, busyTimeout: busyTimeout)
        guard found.source != .inferred else {
            throw GranaryError(
                .refused, "a model is needed: \(path) contains none", diagnostics: found.warnings)
        }
        warnings += found.allWarnings(path: path)
        return found.schema
    }

    /// Opens an existing store for writing, with its entities in the order of the store's numbers.
    package static func openForWriting(
        path: String, schema: Schema, busyTimeout: Duration
    ) throws(GranaryError) -> SQLiteStore {
        let found = try StoreModel.read(path: path, given: schema.model, busyTimeout: busyTimeout, allowsPart: false)
        return try open(
            path: path, schema: found.schema, busyTimeout: busyTimeout, comparesHashes: found.comparesHashes)
    }
}

extension StoreModel {
    /// ``warnings``, and a warning if the model is inferred.
    fileprivate func allWarnings(path: String) -> [Diagnostic] {
        guard source == .inferred else { return warnings }
        return warnings + [Diagnostic(.storeLayout, "\(path): \(Self.inferenceRemark)", severity: .warning)]
    }
}

extension ManagedObjectModel {
    /// Reads a model file, a model folder, or the model that a store contains.
    ///
    /// - Returns: the model, and whether it is a compiled one.
    package static func read(
        path: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> (model: ManagedObjectModel, isCompiled: Bool) {
        guard isStore(path) else { return try read(URL(filePath: path), diagnostics: &diagnostics) }
        guard let model = try StoreModel.cachedModel(path: path, diagnostics: &diagnostics) else {
            throw GranaryError(
                .refused,
                "\(path): the store contains no model (Z_MODELCACHE); a model inferred from its tables can only be used "
                    + "to read it")
        }
        return (model, true)
    }

    /// Reads several models as ``read(path:diagnostics:)`` does and merges them. Swift sources are one model.
    package init(paths: [String], diagnostics: inout DiagnosticCollector) throws(GranaryError) {
        var models: [ManagedObjectModel] = []
        let swift = paths.filter(SwiftSourcePath.isSwift)
        if !swift.isEmpty { models.append(try ManagedObjectModel(swiftPaths: swift, diagnostics: &diagnostics)) }
        for path in paths where !swift.contains(path) {
            models.append(try Self.read(path: path, diagnostics: &diagnostics).model)
        }
        if models.count == 1 { self = models[0] } else { self = try ManagedObjectModel(merging: models) }
    }

    /// Whether a path is that of an SQLite file.
    package static func isStore(_ path: String) -> Bool {
        // Opening a pipe would wait for a writer.
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return false }
        return start == Data("SQLite format 3\0".utf8)
    }
}
