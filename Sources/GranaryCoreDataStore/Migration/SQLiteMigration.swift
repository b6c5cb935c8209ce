import Foundation
package import GranaryBase
package import GranaryCoordination
package import GranaryModel

/// Migrates a store to another model: through one or several inferred steps, each into a new file beside the store.
package struct SQLiteMigration {
    /// The path of the store.
    package let path: String
    private let givenPath: String
    /// The path of the new store; nil to replace the store.
    package let output: String?
    /// The model with which the store is read.
    package let model: StoreModel
    /// The model of each step, the last one that of the new store. A step can have the model before it.
    package let steps: [Schema]

    /// How what the mapping leaves open is treated.
    package var rules: (_ step: Int) throws -> MigrationRules = { _ in MigrationRules() }
    /// What each step calls.
    package var hooks: (_ step: Int) -> MigrationHooks = { _ in MigrationHooks() }
    /// The path at which the replaced store is kept; nil to remove it.
    package var backup: String?
    /// Whether the new store is discarded when it is complete.
    package var isDryRun = false
    /// Whether an existing file at ``output`` is replaced.
    package var replacesOutput = false
    /// Whether missing external files are NULL in the new store.
    package var ignoresMissingFiles = false
    package var busyTimeout = Duration.seconds(5)
    package var cancellation: Cancellation?
    /// Called before the store is locked; for tests.
    var afterOpening: () -> Void = {}

    package init(path: String, output: String?, model: StoreModel, steps: [Schema]) {
        // A link stays, and the file behind it is replaced.
        self.path = output == nil ? ArchiveFile.resolved(path) : path
        givenPath = path
        self.output = output
        self.model = model
        self.steps = steps
    }

    /// Migrates a store that a container opens, with the model in the store.
    ///
    /// - Returns: false if the store contains no model, or was written for another part of the model.
    /// - Throws: ``GranaryError``: `refused` if no mapping is inferred or objects do not fit; as ``run(beforePublishing:)``.
    static func ofContainer(
        path: String, to schema: Schema, isPart: Bool, busyTimeout: Duration
    ) throws(GranaryError) -> Bool {
        let model = try StoreModel.read(path: path, busyTimeout: busyTimeout)
        guard model.source == .cache,
            !AutomaticMigration.isOfOtherPart(try SQLiteStore.versionHashes(path: path), schema, isPart: isPart)
        else { return false }
        _ = try AutomaticMigration.mapping(from: model.schema, to: schema, of: path)
        var migration = SQLiteMigration(path: path, output: nil, model: model, steps: [schema])
        migration.rules = { _ in .ofContainers }
        migration.busyTimeout = busyTimeout
        migration.cancellation = Cancellation.current
        do throws(GranaryError) { try migration.run() } catch {
            // Another process may have migrated the store at the same time.
            if error.code == .busy, try SQLiteStore.versionHashes(path: path) == schema.versionHashes { return true }
            var error = error
            error.message = "\(path): \(error.message)"
            throw error
        }
        return true
    }

    /// - Parameter beforePublishing: runs when the new store is complete, before it gets its name. It throws to keep the
    ///   store as it is.
    /// - Throws: ``GranaryError``: `refused` with a diagnostic for each kind of problem of each property; `uncreatable`
    ///   if the output or the backup exists; `busy` if another process uses the store longer than the timeout;
    ///   `inputOutput`, `interrupted`; any error of `beforePublishing`. The store is unchanged then, unless the
    ///   message says that it was replaced.
    package func run(beforePublishing: ([MigratedStep]) throws -> Void = { _ in }) throws(GranaryError) {
        try converting {
            try output == nil && !isDryRun ? replace(beforePublishing) : build(beforePublishing)
        }
    }

    // MARK: Ways

    private func build(_ beforePublishing: ([MigratedStep]) throws -> Void) throws {
        let source = try SQLiteStore.open(
            path: path, schema: model.schema, readOnly: true, busyTimeout: busyTimeout,
            comparesHashes: model.comparesHashes, once: true)
        guard !isDryRun else {
            // The folder of the store may be write-protected.
            let folder = FileManager.default.temporaryDirectory.appending(path: "granary-\(UUID().uuidString)")
                .path(percentEncoded: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return try source.reading { try beforePublishing(try migrate(source, to: folder + "/Store.sqlite").steps) }
        }
        try source.reading {
            let (steps, new) = try migrate(source, to: output ?? path)
            try beforePublishing(steps)
            try new.publish()
        }
    }

    /// External data is found by the name with which a store is opened.
    private func checkLink() throws(GranaryError) {
        guard givenPath != path, PublishedFile.isLink(givenPath),
            case .folder = FileKind(SQLiteStore.supportFolder(ofStore: givenPath)),
            SQLiteStore.supportFolder(ofStore: givenPath) != SQLiteStore.supportFolder(ofStore: path)
        else { return }
        throw GranaryError(
            .usage,
            "\(givenPath): is a link to \(path), and the external data is beside the link; migrate it with --output, or move "
                + "the folder \(SQLiteStore.supportFolder(ofStore: givenPath))")
    }

    private func replace(_ beforePublishing: ([MigratedStep]) throws -> Void) throws {
        try checkLink()
        if let backup, PublishedFile.isTaken(backup) {
            guard FileIdentity(path: backup) == FileIdentity(path: path) else {
                throw GranaryError(
                    .uncreatable, "\(backup): already exists; move it, or keep no copy", help: "--no-backup")
            }
            // A migration was killed after it had given the store its second name.
            try PublishedFile.remove(backup)
        }
        let identity = FileIdentity(path: path)
        let source = try SQLiteStore.open(
            path: path, schema: model.schema, busyTimeout: busyTimeout, comparesHashes: model.comparesHashes)
        afterOpening()
        var old: [StoreBelongings] = []
        try source.withSoleUse {
            // Another process may have replaced the file while this one waited for its lock.
            guard FileIdentity(path: path) == identity else {
                throw GranaryError(.busy, "\(path): was replaced by another process meanwhile; nothing was changed")
            }
            let (steps, new) = try migrate(source, to: path)
            try beforePublishing(steps)
            old = try new.takePlace(of: source, backup: backup)
        }
        do throws(GranaryError) { for part in old { try part.remove() } } catch {
            throw GranaryError(
                error.code, "\(path): the store is migrated, but a file of the old one is left: \(error.message)",
                underlying: error)
        }
    }

    private func migrate(
        _ source: SQLiteStore, to target: String
    ) throws -> (steps: [MigratedStep], store: SQLiteStore) {
        var current = source
        source.verifiesTables = true
        source.leavesFiles = true
        let results = try MigrationSteps.run(steps.count) { turn in
            let schema = steps[turn.index]
            let missing = ignoresMissingFiles ? MissingExternalFiles() : nil
            current.missingFiles = missing
            let next = try SQLiteStore.create(
                path: target, schema: schema, busyTimeout: busyTimeout,
                identifier: UUID(uuidString: source.identifier),
                permissions: SQLiteStore.permissions(ofStore: path), replacing: output == nil || replacesOutput)
            next.leavesFiles = true
            let mapping = ModelMapping(from: current.schema, to: schema)
            let hooks = hooks(turn.index)
            let result = try StoreCopy(
                source: current, destination: next, mapping: mapping, rules: turn.rules(try rules(turn.index)),
                hooks: hooks, cancellation: cancellation
            ).run()
            if !turn.passesOver {
                try MigratedHistory(of: current, to: next, mapping, keyOffsets: result.keyOffsets)?.copy()
                try ForeignTables(of: current, to: next).copy()
                if hooks.finish == nil { try result.tally.checkCounts(of: next, path) }
            }
            current = next
            return MigratedStep(mapping: mapping, result: result, missingFiles: missing?.diagnostics ?? [])
        }
        return (results, current)
    }
}
