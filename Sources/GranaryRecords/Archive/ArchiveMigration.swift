package import GranaryBase
package import GranaryCoordination
import GranaryFormats
package import GranaryModel

/// Migrates an archive to another model: it is read with the model in it, and written again.
package struct ArchiveMigration {
    /// The archive, with its own model.
    package let source: ArchiveStore
    /// The archive with the new model, in memory.
    private var migrated: ArchiveStore?

    /// The model of the objects so far.
    package var schema: Schema { (migrated ?? source).schema }

    /// Reads an archive.
    ///
    /// - Throws: ``GranaryError``: as ``ArchiveStore/open(path:schema:readOnly:)``.
    package init(path: String) throws(GranaryError) {
        source = try ArchiveStore.openWithOwnModel(path: path)
    }

    /// Migrates the objects in memory through one or several steps; the file is not changed.
    ///
    /// - Throws: as ``MigrationSteps/run(_:_:)``.
    package mutating func migrate(
        through schemas: [Schema], _ rules: (_ step: Int) throws -> MigrationRules,
        _ hooks: (_ step: Int) -> MigrationHooks = { _ in MigrationHooks() }, cancellation: Cancellation?
    ) throws -> [MigratedStep] {
        var old = source
        let results = try MigrationSteps.run(schemas.count) { turn in
            let schema = schemas[turn.index]
            let new = old.empty(schema)
            let mapping = ModelMapping(from: old.schema, to: schema)
            let result = try StoreCopy(
                source: old, destination: new, mapping: mapping, rules: turn.rules(try rules(turn.index)),
                hooks: hooks(turn.index), cancellation: cancellation
            ).run()
            old = new
            return MigratedStep(mapping: mapping, result: result)
        }
        migrated = old
        return results
    }

    /// Writes the result in the place of the archive, or into a new file.
    ///
    /// - Parameters:
    ///   - output: nil to replace the archive.
    ///   - backup: a second name for the replaced archive; nil for none.
    ///   - replacing: whether a file with the name of the output is replaced.
    /// - Throws: ``GranaryError``: `busy` if another process has written the archive meanwhile; `uncreatable`,
    ///   `refused` and `inputOutput` as ``ArchiveStore/publish()``.
    package func write(output: String?, backup: String? = nil, replacing: Bool = false) throws(GranaryError) {
        guard let migrated else { return }
        guard let output else {
            if let backup {
                guard !PublishedFile.isTaken(backup) || FileIdentity(path: backup) == FileIdentity(path: source.path)
                else {
                    throw GranaryError(
                        .uncreatable, "\(backup): already exists; move it, or keep no copy", help: "--no-backup")
                }
                // A migration was killed after it had given the archive its second name.
                try PublishedFile.remove(backup)
                try PublishedFile.linkOrCopy(source.path, as: backup)
            }
            do throws(GranaryError) { return try migrated.replace(source) } catch {
                // The archive keeps its name, so that it needs no second one.
                if let backup { try PublishedFile.remove(backup) }
                throw error
            }
        }
        try migrated.publish(as: output, replacing: replacing)
    }

    /// Migrates an archive that a container opens.
    ///
    /// - Throws: ``GranaryError``: `refused` if no mapping is inferred or objects do not fit.
    static func ofContainer(path: String, to schema: Schema, isPart: Bool) throws(GranaryError) -> Bool {
        var migration = try ArchiveMigration(path: path)
        guard !AutomaticMigration.isOfOtherPart(migration.source.schema.versionHashes, schema, isPart: isPart) else {
            return false
        }
        _ = try AutomaticMigration.mapping(from: migration.source.schema, to: schema, of: path)
        do throws(GranaryError) {
            try converting {
                _ = try migration.migrate(
                    through: [schema], { _ in .ofContainers }, cancellation: Cancellation.current)
                try migration.write(output: nil)
            }
        } catch {
            var error = error
            error.message = "\(path): \(error.message)"
            throw error
        }
        return true
    }
}

extension ArchiveStore {
    /// An archive in memory with the same UUID and encoding, without objects.
    fileprivate func empty(_ schema: Schema) -> ArchiveStore {
        var metadata = ArchiveMetadata.make(schema)
        metadata.identifier = identifier
        return ArchiveStore(
            path: path, encoding: encoding, isReadOnly: false, metadata: metadata,
            memory: InMemoryStore(schema: schema),
            stamp: nil)
    }
}
