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
    /// The step in code from the store, if no version fits the store.
    let firstStep: MigrationStep?

    /// - Parameters:
    ///   - chain: the versions that are known.
    ///   - wanted: the index of the wanted version.
    ///   - given: the model of the store; nil to find it.
    ///   - copies: whether a store that has the wanted version is copied.
    ///   - custom: the steps that code makes possible.
    /// - Throws: ``GranaryError`` with code `refused`: no mapping is inferred, with a diagnostic for each reason; the
    ///   store was written for a later version, or for another app; it contains no model.
    init(
        _ store: MigratedStoreFile, chain: ModelVersionChain, wanted: Int, given: ManagedObjectModel?, copies: Bool,
        custom: [PlacedStep]
    ) throws(GranaryError) {
        let (path, hashes) = (store.name, store.hashes)
        let version = chain.versions.firstIndex { $0.versionHashes == hashes && !hashes.isEmpty }
        let target = try chain.versions[wanted].model.resolved()
        let targetName = chain.versions[wanted].name
        isVersionKnown = version != nil
        if let version, chain.versions[version].versionHashes == chain.versions[wanted].versionHashes {
            model = try MigratedModel(store, given: chain.versions[version].model)
            let isCopied = store.isUnfinished || copies
            steps = isCopied ? [target] : []
            names = isCopied ? [targetName, targetName] : [targetName]
            warnings = store.isUnfinished ? [Self.deferred(path)] : []
            firstStep = nil
            return
        }
        // Names need not sort in the order of the versions: the current version is the newest one.
        if let version, version > wanted, !chain.versions[wanted].isCurrent {
            throw GranaryError(
                .refused,
                "\(path): the store was written for \"\(chain.versions[version].name)\", which is later than "
                    + "\"\(targetName)\"; a store cannot be migrated to an older version (Core Data's error 134504)")
        }
        let model = try MigratedModel(store, given: given ?? version.map { chain.versions[$0].model })
        self.model = model
        guard !model.isInferred else {
            throw GranaryError(
                .refused,
                "\(path): the store contains no model, and none of the given versions has its version hashes; "
                    + "--from-model names its model",
                diagnostics: Self.nearest(hashes, chain))
        }
        if given != nil { try Self.checkIsModel(of: hashes, model.schema, path) }
        guard ModelMapping(from: model.schema, to: target).newEntities.contains(where: { $0 != nil }) else {
            throw GranaryError(
                .refused,
                "\(path): the store and \"\(targetName)\" have no entity in common; the store belongs to another app",
                diagnostics: model.warnings)
        }
        var remarks = model.warnings + (store.isUnfinished ? [Self.deferred(path)] : [])
        if version == nil, given == nil { try Self.checkIsOlder(store, model.schema.model, chain, &remarks) }
        let source = version.map { chain.versions[$0].model } ?? model.schema.model
        let route = try Self.route(store, source, version, chain, wanted, custom, &remarks)
        warnings = remarks
        firstStep = route.firstStep
        let oldName = version.map { chain.versions[$0].name } ?? "the store's model"
        guard let versions = route.versions else {
            throw GranaryError(
                .refused, "\(path): Core Data infers no mapping from \"\(oldName)\" to \"\(targetName)\"",
                diagnostics: source.differences(to: chain.versions[wanted].model).mappingReasons
                    + remarks.filter { $0.code == .migrationMapping })
        }
        var schemas: [Schema] = []
        for index in versions { schemas.append(try chain.versions[index].model.resolved()) }
        steps = schemas
        names = [oldName] + versions.map { chain.versions[$0].name }
    }

    /// The versions after the store's through which a migration goes; nil if there is no way.
    ///
    /// - Parameters:
    ///   - source: the model of the store.
    ///   - version: its index among the versions; nil if no version fits the store.
    ///   - remarks: receives why steps are not used.
    private static func route(
        _ store: MigratedStoreFile, _ source: ManagedObjectModel, _ version: Int?, _ chain: ModelVersionChain,
        _ wanted: Int, _ custom: [PlacedStep], _ remarks: inout [Diagnostic]
    ) throws(GranaryError) -> (versions: [Int]?, firstStep: MigrationStep?) {
        let ranges = custom.map(\.range)
        if version == nil {
            for placed in custom.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
            where placed.range.upperBound <= wanted {
                let start = placed.range.upperBound
                var reason = try placed.reasonAgainst(store, source, chain)
                if reason == nil {
                    if let path = chain.shortestPath(from: start, to: wanted, custom: ranges) {
                        return (path, placed.step)
                    }
                    reason = "there is no way from \"\(placed.step.to)\" to \"\(chain.versions[wanted].name)\""
                }
                remarks.append(
                    Diagnostic(
                        .migrationMapping,
                        "the step from \"\(placed.step.from)\" to \"\(placed.step.to)\" is not used: none of the versions fits "
                            + "the store, and \(reason ?? "")", severity: .warning))
            }
        }
        let passes =
            version.map { from in ranges.contains { $0.lowerBound >= from && $0.upperBound <= wanted } } ?? false
        if !passes, source.differences(to: chain.versions[wanted].model).isLightweight { return ([wanted], nil) }
        guard let version, let path = chain.shortestPath(from: version, to: wanted, custom: ranges) else {
            return (nil, nil)
        }
        return (Array(path.dropFirst()), nil)
    }

    /// Checks a store that none of several versions fits, and warns of it.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the store is probably newer than all versions.
    private static func checkIsOlder(
        _ store: MigratedStoreFile, _ model: ManagedObjectModel, _ chain: ModelVersionChain,
        _ remarks: inout [Diagnostic]
    ) throws(GranaryError) {
        guard chain.versions.count > 1, let nearest = chain.nearest(to: store.hashes) else { return }
        let name = chain.versions[nearest.index].name
        if let evidence = NewerStore(store, model, chain, nearest: nearest.index).evidence {
            throw GranaryError(
                .refused,
                "\(store.name): none of the given versions has the store's version hashes, and the store is probably newer: "
                    + "no version has \(evidence); the nearest one is \"\(name)\"; --from-model gives the model of a store that is older",
                diagnostics: Self.nearest(store.hashes, chain))
        }
        remarks.append(
            Diagnostic(
                .storeMismatch,
                "\(store.name): none of the given versions has the store's version hashes, so that the store can be newer; "
                    + "the nearest one is \"\(name)\"; the model in the store is used",
                severity: .warning))
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
