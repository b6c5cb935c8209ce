public import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
public import GranaryModel

extension StoreImport {
    /// Runs the imports. Cancelling the task rolls everything back.
    ///
    /// - Returns: what happened to every record. In ``ImportRunOptions/Mode/keepGood`` some can be rejected.
    /// - Throws: ``GranaryError``: `refused` with the diagnostics if the import was refused, and the store is then as it was;
    ///   `usage` for options that contradict each other or the model; `interrupted` after a cancellation; as reading and
    ///   writing throw. If the message ends with "the import is stored", only a later step has failed.
    public func run() async throws -> ImportReport { try await Self.run([self])[0] }

    /// Runs the imports of several stores. No store is changed unless all can be.
    ///
    /// - Returns: a report for each store.
    /// - Throws: as ``run()``.
    public static func run(_ imports: [StoreImport]) async throws -> [ImportReport] {
        try await run(imports, plan: nil)
    }

    static func run(_ imports: [StoreImport], plan: String?) async throws -> [ImportReport] {
        try await InBackground.run { cancellation in
            var imports = imports
            for index in imports.indices { imports[index].run.cancellation = cancellation }
            var warnings: [Diagnostic] = []
            let targets = try StoreTarget.checked(imports, plan: plan, warnings: &warnings)
            for target in targets { try target.open() }
            var (reports, failure) = try StoreRun(targets).run()
            if let failure {
                throw GranaryError(failure.code, "\(failure.message); the import is stored", underlying: failure)
            }
            if reports.contains(where: \.isRefused) {
                let ledgers = reports.map { "\($0.store): \($0.ledger)" }.joined(separator: "; ")
                throw GranaryError(
                    .refused, "nothing was imported: \(ledgers)", diagnostics: reports.flatMap(\.diagnostics))
            }
            if !reports.isEmpty { reports[0].storeWarnings = warnings }
            for (index, target) in targets.enumerated() where target.isNew {
                reports[index].storeWarnings += SQLiteStore.creationWarnings(
                    for: target.schema, isLikeAnother: target.template != nil)
            }
            return reports
        }
    }
}

extension Importer {
    /// Imports into an SQLite store file, which is created if it does not exist. A new file appears only if the import
    /// succeeds.
    ///
    /// - Parameter model: nil for the model that the store contains.
    /// - Throws: as ``StoreImport/run()``.
    public func run(into store: URL, model: ManagedObjectModel? = nil) async throws -> ImportReport {
        try await StoreImport(store: store, model: model, jobs: jobs, run: run).run()
    }
}

extension SeedPlan {
    /// Runs the plan: one transaction for each store, and no store is changed unless all can be.
    ///
    /// - Parameter isDryRun: whether everything is rolled back at the end; the reports tell what would change.
    /// - Returns: a report for each store, in the plan's order.
    /// - Throws: ``GranaryError``: as ``SeedPlan/storeImports()`` and ``StoreImport/run()``.
    @discardableResult
    public func run(isDryRun: Bool = false) async throws -> [ImportReport] {
        var imports = try storeImports()
        for index in imports.indices {
            imports[index].run.isDryRun = isDryRun || settings.isDryRun
            imports[index].run.replacesRejects = settings.force
        }
        return try await StoreImport.run(imports, plan: file)
    }
}
