public import Foundation
public import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
public import GranaryModel
import GranaryModelFiles
import GranaryPostgreSQL
import GranaryRecords

/// Migrates a store file, SQLite or an archive, to a newer version of its model, as Core Data does without a mapping model.
///
/// ```swift
/// let migration = StoreMigration(to: newModel)
/// let report = try await migration.run(store: url)
/// ```
///
/// The new store is built beside the old one, checked, and renamed; the old one is kept as `STORE.before-VERSION`.
/// Primary keys, the store's UUID, the app's metadata, the history and external data are kept. Everything that would be
/// lost, and each object that does not fit, is found before anything is replaced; by default the migration is then
/// refused (``StoreMigrationOptions``).
///
/// The model of the store is the version with the store's version hashes, or the one in the store.
public struct StoreMigration: Sendable {
    /// The options.
    public var options: StoreMigrationOptions
    /// What is not inferred between two versions. A migration from an older to a newer version than those of a step goes
    /// through the step.
    public var steps: [MigrationStep] = []
    private let chain: ModelVersionChain
    private let wanted: Int

    /// A migration to a model.
    public init(to model: ManagedObjectModel, options: StoreMigrationOptions = StoreMigrationOptions()) {
        self.init(
            versions: ModelVersionChain([.init(name: model.versionIdentifiers.first ?? "the model", model: model)]),
            wanted: 0, options: options)
    }

    /// A migration to a version of an `.xcdatamodeld` or `.momd`. If no mapping is inferred directly, the store is
    /// migrated over versions between the two.
    ///
    /// - Parameter version: nil for the current version.
    /// - Throws: ``GranaryError``: as `ManagedObjectModel.versions(in:)`; `usage` if there is no such version.
    public init(
        toVersion version: String? = nil, in url: URL, options: StoreMigrationOptions = StoreMigrationOptions()
    ) throws(GranaryError) {
        var diagnostics = DiagnosticCollector()
        try self.init(
            path: url.path(percentEncoded: false), version: version, options: options, diagnostics: &diagnostics)
    }

    package init(
        path: String, version: String?, options: StoreMigrationOptions, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) {
        let chain = try ModelVersionChain(path: path, diagnostics: &diagnostics)
        let names = chain.versions.map(\.name)
        let found: Int?
        if let version {
            found = names.firstIndex(of: version) ?? names.firstIndex { "\($0).xcdatamodel" == version }
            guard found != nil else {
                let hint = NearestText.hint(for: version, in: names)
                throw GranaryError(
                    .usage,
                    "\(path): there is no version \"\(Diagnostic.shortened(version))\"\(hint); it has "
                        + names.joined(separator: ", "))
            }
        } else {
            found = chain.versions.firstIndex(where: \.isCurrent)
        }
        guard let found else {
            throw GranaryError(
                .usage, "\(path): has several versions and no current one; it has \(names.joined(separator: ", "))",
                help: "--to VERSION")
        }
        self.init(versions: chain, wanted: found, options: options)
    }

    private init(versions: ModelVersionChain, wanted: Int, options: StoreMigrationOptions) {
        chain = versions
        self.wanted = wanted
        self.options = options
    }

    /// Migrates a store.
    ///
    /// - Parameters:
    ///   - model: the model of the store; nil to find it.
    ///   - output: the new store; nil to replace the store.
    /// - Throws: ``GranaryError``: `refused` if no mapping is inferred, objects do not fit or something would be lost,
    ///   with a diagnostic for each kind; `usage` for options that the newer version does not know; `unreadable`,
    ///   `uncreatable`, `busy`, `inputOutput`; `interrupted` if the task is cancelled. The store is unchanged then.
    @discardableResult
    public func run(
        store: URL, model: ManagedObjectModel? = nil, output: URL? = nil
    ) async throws -> StoreMigrationReport {
        try await InBackground.run { cancellation in
            var migration = self
            migration.options.cancellation = options.cancellation ?? cancellation
            let report = try migration.run(
                path: store.path(percentEncoded: false), model: model, output: output?.path(percentEncoded: false))
            if let refusal = report.refusal { throw refusal }
            return report
        }
    }

    /// Migrates the store at a path. Messages contain the paths as they are given.
    ///
    /// - Parameter beforePublishing: called when the new store is complete and before it gets its name; also in a dry
    ///   run.
    /// - Returns: the report, with ``StoreMigrationReport/refusal`` if objects do not fit.
    package func run(
        path: String, model: ManagedObjectModel?, output: String?,
        beforePublishing: (StoreMigrationReport) throws -> Void = { _ in }
    ) throws -> StoreMigrationReport {
        let start = ContinuousClock.now
        try checkOutput(output, of: path)
        let placed = try PlacedStep.all(steps, chain)
        let file = try MigratedStoreFile(path: path, timeout: options.timeout)
        let target = try MigrationTarget(
            file, chain: chain, wanted: wanted, given: model, copies: output != nil, custom: placed)
        var report = StoreMigrationReport()
        report.store = file.name
        report.output = output.map(ConnectionText.displayName) ?? file.name
        report.path = target.names
        report.dryRun = options.isDryRun
        report.warnings = target.warnings
        // A store that is replaced is not read from a copy, but locked.
        if let note = file.copyNote, output != nil || options.isDryRun { report.warnings.append(note) }
        // The names of options are checked first, so that a wrong one reads nothing.
        let rules = try MigrationRules.ofSteps(
            options,
            [target.model.schema]
                + (target.steps.isEmpty ? [try chain.versions[wanted].model.resolved()] : target.steps))
        guard !target.steps.isEmpty else {
            report.isCurrent = true
            // A migration that was killed after its last step leaves files.
            if output == nil, !options.isDryRun, case .sqlite = target.model {
                try SQLiteStore.removeAbandonedFiles(path: path)
            }
            try beforePublishing(report)
            return report
        }
        let backup =
            output == nil && options.keepsBackup
            ? backupPath(
                file.isInDatabase ? try PostgreSQLStores.schemaName(path, timeout: options.timeout) : path, target)
            : nil
        if let backup, options.isDryRun, !file.isInDatabase, PublishedFile.isTaken(backup) {
            throw GranaryError(.uncreatable, "\(backup): already exists; move it, or keep no copy", help: "--no-backup")
        }
        let hops = MigrationHop.all(target, steps, rules, options)
        func complete(_ steps: [MigratedStep]) throws {
            report.add(steps, versions: hops.map(\.name))
            report.backup =
                options.isDryRun ? nil : backup.map { file.isInDatabase ? "the schema \"\($0)\"" : $0 }
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
            try options.cancellation?.check()
            try beforePublishing(report)
        }
        do throws(GranaryError) {
            switch target.model {
            case .sqlite(let model):
                var run = SQLiteMigration(path: path, output: output, model: model, steps: hops.map(\.new))
                run.rules = { try hops[$0].completeRules() }
                run.hooks = { hops[$0].hooks(options) }
                run.backup = backup
                run.isDryRun = options.isDryRun
                run.replacesOutput = options.replacesOutput
                run.ignoresMissingFiles = options.missingFiles == .null
                run.busyTimeout = file.timeout
                run.cancellation = options.cancellation
                try run.run(beforePublishing: complete)
            case .database(let schema):
                var run = PostgreSQLMigration(path, output: output, schema: schema, steps: hops.map(\.new))
                run.rules = { try hops[$0].completeRules() }
                run.hooks = { hops[$0].hooks(options) }
                run.backup = backup
                run.isDryRun = options.isDryRun
                run.timeout = file.timeout
                run.cancellation = options.cancellation
                try run.run(beforePublishing: complete)
            case .archive(var run):
                try converting {
                    try complete(
                        try run.migrate(
                            through: hops.map(\.new), { try hops[$0].completeRules() }, { hops[$0].hooks(options) },
                            cancellation: options.cancellation))
                    guard !options.isDryRun else { return }
                    try run.write(output: output, backup: backup, replacing: options.replacesOutput)
                }
            }
        } catch {
            guard let refusal = error.underlying as? StoreCopy.Refusal else { throw error }
            report.refuse(refusal, "\(file.name): \(error.message); nothing was changed", hops.map(\.name))
        }
        return report
    }

    /// Checks that the output can be created, and that it is of the store's kind.
    private func checkOutput(_ output: String?, of path: String) throws(GranaryError) {
        guard let output else { return }
        let isInDatabase = ConnectionText.isConnection(path)
        guard isInDatabase == ConnectionText.isConnection(output) else {
            throw GranaryError(
                .usage,
                "a migration does not move a store to or from a database; migrate it first, then export it and import the export"
            )
        }
        guard !isInDatabase else { return }
        try SQLiteStore.checkOutput(output, of: path, replacing: options.replacesOutput)
    }

    private func backupPath(_ path: String, _ target: MigrationTarget) -> String {
        let version = target.isVersionKnown ? target.names.first ?? "" : "migration"
        let name = String(version.map { $0 == "/" || $0 == "\0" ? "-" : $0 })
        return "\(path).before-\(name)"
    }
}
