import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryModelFiles

/// The versions through which a store is migrated: from the one that it was written for to the one that is wanted.
struct MigrationTarget {
    /// The model of the store.
    let model: MigratedModel
    /// The models of the steps after it; empty if the store has the wanted version.
    let steps: [Schema]
    /// The names of the versions, including the store's.
    let names: [String]
    let warnings: [Diagnostic]
    /// Whether the store's version is one of the given ones, so that the first name is its name.
    let isVersionKnown: Bool

    /// - Parameters:
    ///   - chain: the versions that are known.
    ///   - wanted: the index of the wanted version.
    ///   - given: the model of the store; nil to find it.
    ///   - copies: whether a store that has the wanted version is copied.
    ///   - custom: the older and the newer version of each step that code makes possible.
    /// - Throws: ``GranaryError`` with code `refused`: no mapping is inferred, with a diagnostic for each reason; the
    ///   store was written for a later version, or for another app; it contains no model.
    init(
        path: String, chain: ModelVersionChain, wanted: Int, given: ManagedObjectModel?, copies: Bool,
        custom: [Range<Int>], timeout: Duration
    ) throws(GranaryError) {
        let isArchive = MigratedModel.isArchive(path)
        let hashes = try MigratedModel.versionHashes(path: path, isArchive: isArchive)
        let version = chain.versions.firstIndex { $0.versionHashes == hashes && !hashes.isEmpty }
        let target = try chain.versions[wanted].model.resolved()
        let targetName = chain.versions[wanted].name
        if let version, chain.versions[version].versionHashes == chain.versions[wanted].versionHashes {
            model = try MigratedModel(
                path: path, isArchive: isArchive, given: chain.versions[version].model, timeout: timeout)
            let isUnfinished = isArchive ? false : try SQLiteStore.hasDeferredMigration(path: path)
            steps = isUnfinished || copies ? [target] : []
            names = isUnfinished || copies ? [targetName, targetName] : [targetName]
            warnings = isUnfinished ? [Self.deferred(path)] : []
            isVersionKnown = true
            return
        }
        // Names need not sort in the order of the versions: the current version is the newest one.
        if let version, version > wanted, !chain.versions[wanted].isCurrent {
            throw GranaryError(
                .refused,
                "\(path): the store was written for \"\(chain.versions[version].name)\", which is later than "
                    + "\"\(targetName)\"; a store cannot be migrated to an older version (Core Data's error 134504)")
        }
        let old = given ?? version.map { chain.versions[$0].model }
        model = try MigratedModel(path: path, isArchive: isArchive, given: old, timeout: timeout)
        guard !model.isInferred else {
            throw GranaryError(
                .refused,
                "\(path): the store contains no model, and none of the given versions has its version hashes; "
                    + "--from-model names its model",
                diagnostics: Self.nearest(hashes, chain))
        }
        if given != nil { try Self.checkIsModel(of: hashes, model.schema, path) }
        let oldName = version.map { chain.versions[$0].name } ?? "the store's model"
        guard ModelMapping(from: model.schema, to: target).newEntities.contains(where: { $0 != nil }) else {
            throw GranaryError(
                .refused,
                "\(path): the store and \"\(targetName)\" have no entity in common; the store belongs to another app",
                diagnostics: model.warnings)
        }
        let isUnfinished = isArchive ? false : try SQLiteStore.hasDeferredMigration(path: path)
        var remarks = model.warnings + (isUnfinished ? [Self.deferred(path)] : [])
        if version == nil, given == nil, chain.versions.count > 1, let nearest = chain.nearest(to: hashes) {
            remarks.append(
                Diagnostic(
                    .storeMismatch,
                    "\(path): none of the given versions has the store's version hashes, so that the store can be newer; the "
                        + "nearest one is \"\(chain.versions[nearest.index].name)\"; the model in the store is used",
                    severity: .warning))
        }
        warnings = remarks
        isVersionKnown = version != nil
        let source = version.map { chain.versions[$0].model } ?? model.schema.model
        let differences = source.differences(to: chain.versions[wanted].model)
        if differences.isLightweight,
            version.map({ from in !custom.contains { $0.lowerBound >= from && $0.upperBound <= wanted } }) ?? true
        {
            steps = [target]
            names = [oldName, targetName]
            return
        }
        if let version, let found = chain.shortestPath(from: version, to: wanted, custom: custom) {
            var schemas: [Schema] = []
            for index in found.dropFirst() { schemas.append(try chain.versions[index].model.resolved()) }
            steps = schemas
            names = found.map { chain.versions[$0].name }
            return
        }
        throw GranaryError(
            .refused, "\(path): Core Data infers no mapping from \"\(oldName)\" to \"\(targetName)\"",
            diagnostics: differences.mappingReasons)
    }

    private static func deferred(_ path: String) -> Diagnostic {
        Diagnostic(
            .storeMismatch,
            "\(path): an earlier migration was deferred and never finished "
                + "(NSPersistentStoreDeferredLightweightMigrationOptionKey); this migration finishes it",
            severity: .warning)
    }

    private static func checkIsModel(of hashes: [String: Data], _ schema: Schema, _ path: String) throws(GranaryError) {
        guard schema.versionHashes != hashes else { return }
        let differing = Set(hashes.keys).union(schema.versionHashes.keys)
            .filter { hashes[$0] != schema.versionHashes[$0] }.sorted(by: utf8Less)
        throw GranaryError(
            .refused, "\(path): the model of --from-model is not the one that the store was written for",
            diagnostics: differing.map { Diagnostic(.storeMismatch, "its version hash differs", entity: $0) })
    }

    /// The entities that differ from the nearest version.
    private static func nearest(_ hashes: [String: Data], _ chain: ModelVersionChain) -> [Diagnostic] {
        guard let nearest = chain.nearest(to: hashes) else { return [] }
        let name = chain.versions[nearest.index].name
        return nearest.differences.map {
            Diagnostic(
                .storeMismatch, "compared with \"\(name)\", the nearest version: \($0.what.rawValue)", entity: $0.entity
            )
        }
    }
}
