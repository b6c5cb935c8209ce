public import Foundation
import GranaryBase
public import GranaryContexts
import GranaryCoordination
public import GranaryImport
public import GranaryModel

extension Subset {
    /// Adds chosen objects of an SQLite store, and all that they need, to the stores of a container.
    ///
    /// ```swift
    /// var options = SubsetOptions()
    /// options.selections = [.init("Patient", where: try ObjectPredicate("age > 60"))]
    /// let added = try await Subset(options: options).run(store: production, into: container, onConflict: .skip)
    /// ```
    ///
    /// The objects get new keys. An object whose unique values an object of the container has is that object: with
    /// ``SubsetOptions/ConflictPolicy/skip`` it stays as it is, and the others refer to it. All is added in one
    /// transaction, as an import with its checks.
    ///
    /// - Parameters:
    ///   - store: the source, which is not changed.
    ///   - model: nil for the model that the source contains.
    ///   - onConflict: what happens to objects whose unique values an object of the container has.
    ///   - run: the options of the import.
    /// - Throws: as ``run(store:model:to:)``, and as `Importer`. Diagnostics name objects of the source.
    @discardableResult
    public func run(
        store: URL, model: ManagedObjectModel? = nil, into container: PersistentContainer,
        onConflict: SubsetOptions.ConflictPolicy = .error, run: ImportRunOptions = ImportRunOptions()
    ) async throws -> SubsetAddition {
        try await InBackground.run { cancellation in
            var subset = self
            subset.options.cancellation = options.cancellation ?? cancellation
            var run = run
            run.cancellation = run.cancellation ?? cancellation
            run.coordinator = container.persistentStoreCoordinator
            let file = container.persistentStoreCoordinator.persistentStores.compactMap(\.url).first
            let documents = try SubsetDocuments(
                subset, path: store.path(percentEncoded: false), model: model,
                addingTo: file?.path(percentEncoded: false), onConflict: onConflict)
            let importer = Importer(jobs: documents.jobs, run: run)
            var report = try container.withStore { store in try importer.run(into: store) }
            report.diagnostics = try documents.explained(report.diagnostics)
            guard !report.isRefused else {
                throw GranaryError(.refused, "nothing was added: " + report.ledger, diagnostics: report.diagnostics)
            }
            var taken = documents.report
            taken.store = ""
            return SubsetAddition(subset: taken, imported: report)
        }
    }
}
