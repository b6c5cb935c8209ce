import Foundation
import GranaryBase
import GranaryComparison
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranarySeedPlans

/// Compares the stores of a plan with what the plan makes of nothing. The stores are not changed.
///
/// The plan is run into new stores in a temporary folder, so that objects which no source has any more are found too.
struct SeedCheck {
    /// The path of the plan.
    let plan: String
    /// The number of differing objects of each store that are listed.
    let limit: Int
    /// The number of diagnostics that are printed.
    let diagnosticLimit: Int

    /// - Returns: whether every store is what the plan makes.
    /// - Throws: ``GranaryError`` with code `refused` and the diagnostics if the plan makes no stores, or as importing
    ///   and comparing throw.
    func run(_ imports: [StoreImport]) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-check-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GranaryError(.uncreatable, "\(folder.path): cannot be created", underlying: error)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let targets = try built(imports, in: folder)
        var isCurrent = true
        for (item, target) in zip(imports, targets) where try !(compare(item, target) && isReadyToShip(item, target)) {
            isCurrent = false
        }
        return isCurrent
    }

    /// Whether the run of the plan would leave the file of an equal store as it is.
    private func isReadyToShip(_ item: StoreImport, _ target: StoreTarget) throws -> Bool {
        guard item.ships else { return true }
        let store = try SQLiteStore.open(
            path: item.store, schema: target.schema, readOnly: true, busyTimeout: item.timeout, comparesHashes: false)
        let reasons = try store.reasonsToShip(
            identifier: item.identifier, inlinesExternalData: item.inlinesExternalData)
        guard !reasons.isEmpty else { return true }
        try CommandOutput.writeText(
            "\(item.store) is not ready to ship: \(reasons.joined(separator: ", ")); granary seed \(plan) prepares it\n"
        )
        return false
    }

    /// Runs the imports into new stores.
    private func built(_ imports: [StoreImport], in folder: URL) throws -> [StoreTarget] {
        // The new stores have other paths.
        try StoreTarget.checkPlaces(imports)
        for subset in imports.flatMap(\.subsets) where subset.isRandom {
            throw GranaryError(
                .usage,
                "\(plan): the values of the subset of \(subset.storeName) are replaced at random, so no two runs make the "
                    + "same store; add random-seed, or rules and key-file")
        }
        var imports = imports
        for (index, item) in imports.enumerated() {
            // An existing store can be the only one that has the model.
            if item.model == nil, item.models.isEmpty, try item.storeExists() {
                imports[index].model = try ModelArgument.read([item.store])
            }
            imports[index].store = folder.appending(path: "\(index).sqlite").path
            imports[index].ships = false
            imports[index].run.isDryRun = false
            imports[index].run.isRevertible = false
            imports[index].run.keepsLedger = false
            imports[index].run.rejectsPath = nil
            imports[index].run.cancellation = Cancellation.current
        }
        var warnings: [Diagnostic] = []
        let targets = try StoreTarget.checked(imports, plan: plan, warnings: &warnings)
        for target in targets { try target.open() }
        let (reports, failure) = try StoreRun(targets).run()
        if let failure { throw failure }
        let found = reports.flatMap(\.diagnostics)
        if reports.contains(where: \.isRefused) {
            throw GranaryError(.refused, "\(plan): the plan makes no stores; nothing was compared", diagnostics: found)
        }
        CommandOutput.log(warnings + found, limit: diagnosticLimit)
        return targets
    }

    private func compare(_ item: StoreImport, _ target: StoreTarget) throws -> Bool {
        guard try item.storeExists() else {
            try CommandOutput.writeText("\(item.storeName) does not exist\n")
            return false
        }
        var options = StoreDiffOptions()
        options.keys = keys(of: item, target.schema)
        options.busyTimeout = item.busyTimeout
        options.cancellation = Cancellation.current
        let text = StoreDiffText(limit: limit)
        let summary = try StoreDiff(options: options).run(paths: item.store, target.plan.store) { try text.add($0) }
        CommandOutput.log(summary.warnings, limit: diagnosticLimit)
        guard !summary.isEqual else {
            try CommandOutput.writeText("\(item.storeName) is what \(plan) makes\n")
            return true
        }
        try text.finish(summary)
        try CommandOutput.writeText(
            "A is \(item.storeName), B is what \(plan) makes; \(Self.advice(summary, item, plan))\n")
        return false
    }

    /// What makes the store current. Without `prune`, a run keeps the objects that no source has.
    private static func advice(_ summary: StoreDiffSummary, _ item: StoreImport, _ plan: String) -> String {
        let stale = summary.entities.filter { $0.onlyInA > 0 }.map(\.name)
        let kept = stale.filter { name in !item.jobs.contains { ($0.entity ?? name) == name && $0.options.prunes } }
        guard let first = kept.first else { return "to update it: granary seed \(plan)" }
        return
            "no source has some objects of \(first), which a run keeps; add prune: true to the imports of \(first), or "
            + "remove the store and run granary seed \(plan)"
    }

    /// The natural keys of the imports, for entities without a uniqueness constraint.
    private func keys(of item: StoreImport, _ schema: Schema) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for job in item.jobs {
            guard let key = job.options.key, let entity = job.entity.flatMap({ schema.entity(named: $0) }),
                entity.uniquenessConstraints.isEmpty, key.allSatisfy({ entity.attribute(named: $0) != nil })
            else { continue }
            keys[entity.name] = key
        }
        return keys
    }
}
