import ArgumentParser
import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPersistence

/// How a command gets at a store that others may use.
package struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Wait at most this long for a store that is in use.", valueName: "seconds"))
    package var busyTimeout = 5.0

    package init() {}

    package func validate() throws {
        if !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout is a number of seconds from 0 to 86400.")
        }
    }

    package var timeout: Duration { .seconds(busyTimeout) }
}

/// What a user names where a STORE is asked for.
package enum StoreArgument {
    /// Opens a store for reading; its file stays as it is.
    ///
    /// Without models it is read with the one that it carries, or with one that is inferred from its tables. What is worth
    /// knowing about that goes to standard error.
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` when it is no Core Data store, was written for
    ///   another model, or has none and its tables tell none, `busy` when another process holds it too long.
    package static func openForReading(
        _ path: String, models: [String], _ options: StoreOptions
    ) throws(GranaryError) -> SQLiteStore {
        var warnings = DiagnosticCollector()
        let given = models.isEmpty ? nil : try ModelArgument.read(models, warnings: &warnings)
        CommandOutput.log(warnings.diagnostics, count: warnings.count, limit: DiagnosticOptions.defaultLimit)
        return try openForReading(path, model: given, options)
    }

    /// The same with a model that is at hand; nil for the store's own.
    package static func openForReading(
        _ path: String, model: ManagedObjectModel?, _ options: StoreOptions
    ) throws(GranaryError) -> SQLiteStore {
        let found = try StoreModel.read(path: path, given: model, busyTimeout: options.timeout)
        log(found, of: path)
        return try SQLiteStore.open(
            path: path, schema: found.schema, readOnly: true,
            busyTimeout: found.isOfCopy ? .zero : options.timeout,
            isInferred: found.source == .inferred, comparesHashes: found.comparesHashes, once: true)
    }

    /// The model of a store that is to be written: the one that is named, or the one that the store carries.
    ///
    /// - Throws: ``GranaryError``: `usage` where the store does not exist and no model is named, `refused` where it carries
    ///   none or a named one is not sound.
    package static func schemaForWriting(
        _ path: String, models: [String], timeout: Duration
    ) throws(GranaryError) -> Schema {
        if !models.isEmpty { return try ModelArgument.load(models) }
        guard FileManager.default.fileExists(atPath: path) else { throw missingModel(path) }
        let found = try StoreModel.read(path: path, busyTimeout: timeout)
        guard found.source != .inferred else {
            throw GranaryError(
                .refused, "\(path): its model is not known; name it with --model", diagnostics: found.warnings)
        }
        log(found, of: path)
        return found.schema
    }

    /// Opens a store that exists for writing, its entities in the order of the store's numbers.
    package static func openForWriting(
        _ path: String, schema: Schema, timeout: Duration
    ) throws(GranaryError) -> SQLiteStore {
        let found = try StoreModel.read(
            path: path, given: schema.model, busyTimeout: timeout, allowsPart: false)
        return try SQLiteStore.open(
            path: path, schema: found.schema, busyTimeout: timeout, comparesHashes: found.comparesHashes)
    }

    /// What is said where a store does not exist and no model is named.
    package static func missingModel(_ path: String) -> GranaryError {
        GranaryError(.usage, "name the model with --model: \(path) does not exist, so it carries none")
    }

    private static func log(_ model: StoreModel, of path: String) {
        CommandOutput.log(model.warnings, limit: DiagnosticOptions.defaultLimit)
        guard model.source == .inferred else { return }
        CommandOutput.log(
            [Diagnostic(.storeLayout, "\(path): \(StoreModel.inferenceRemark)", severity: .warning)], limit: 1)
    }
}
