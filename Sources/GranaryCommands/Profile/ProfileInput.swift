import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords
import GranarySeedPlans

/// What a profile reads: a store, or a data file, whose records are imported into a store in a temporary folder.
struct ProfileInput {
    let path: String
    let models: [String]
    let entities: [String]
    let options: ImportOptions
    let source: SourceOptions
    let storeOptions: StoreOptions

    /// Whether the path names a store.
    var isStore: Bool { ConnectionText.isConnection(path) || StoreFileFormat(fileAt: URL(filePath: path)) == .sqlite }

    /// Passes the store to `body`.
    ///
    /// - Parameter body: also gets the report of the import of a file.
    /// - Throws: ``GranaryError``: as reading throws; `usage` without a model for a file; any error from `body`.
    func withStore<Result>(_ body: (any StoreBackend, _ rejected: ImportReport?) throws -> Result) throws -> Result {
        if isStore {
            return try body(
                try StoreArgument.openForReading(path, models: models, storeOptions, leavesFiles: true), nil)
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw GranaryError(.unreadable, "\(path): there is no such file")
        }
        guard !models.isEmpty else {
            throw GranaryError(
                .usage,
                "\(path) is not a store; its values can be profiled with a model, or looked at with granary inspect",
                help: "--model MODEL")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-profile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "Values.sqlite").path
        let report = try load(into: store)
        let opened = try StoreArgument.openForReading(store, models: [], storeOptions, leavesFiles: true)
        return try body(opened, report)
    }

    /// Imports the records that are valid.
    private func load(into store: String) throws -> ImportReport {
        var options = options
        options.ignoresOtherColumns = true
        options.checksIgnoredColumns = false
        let model = try ModelArgument.read(models)
        // As `granary inspect`: the entity that the file is named after.
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let named = model.entities.contains { $0.name == name } ? name : nil
        var job = ImportJob(
            entity: entities.count == 1 ? entities[0] : named, sources: [.file(path: path, options: source)],
            options: options)
        job.options.onConflict = .error
        var item = StoreImport(path: store, jobs: [job], run: ImportRunOptions())
        item.model = Self.withoutLinks(model)
        item.run.mode = .keepGood
        item.run.keepsLedger = false
        item.run.cancellation = Cancellation.current
        var warnings: [Diagnostic] = []
        let targets = try StoreTarget.checked([item], plan: nil, warnings: &warnings)
        for target in targets { try target.open() }
        let (reports, failure) = try StoreRun(targets).run()
        if let failure { throw failure }
        guard let report = reports.first, !report.isRefused else {
            throw GranaryError(
                .refused, "\(path): the records cannot be read", diagnostics: reports.flatMap(\.diagnostics))
        }
        return report
    }

    /// The attributes alone: records are profiled whatever they refer to, and also if they are equal.
    private static func withoutLinks(_ model: ManagedObjectModel) -> ManagedObjectModel {
        var model = model
        for index in model.entities.indices {
            model.entities[index].relationships = []
            model.entities[index].fetchedProperties = []
            model.entities[index].uniquenessConstraints = []
            model.entities[index].fetchIndexes = []
            model.entities[index].attributes.removeAll { $0.derivationExpression != nil }
        }
        model.fetchRequestTemplates = []
        return model
    }
}
