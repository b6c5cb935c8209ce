public import Foundation
package import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
public import GranaryImport
public import GranaryModel

/// Copies chosen objects of a store, and all that they need, into a new store; on request with replaced values.
///
/// ```swift
/// var options = SubsetOptions()
/// options.selections = [.init("Patient", where: try ObjectPredicate("age > 60"))]
/// options.anonymisedAttributes = ["Patient.name"]
/// let report = try await Subset(options: options).run(store: production, to: test)
/// ```
///
/// An object brings the objects of all its to-one relationships, also optional ones, such as rows of a look-up table.
/// To-many relationships bring only as many objects as their minimum count needs; ``SubsetOptions/depth`` adds more.
/// Links to other objects are cut. Objects keep their primary keys. The history, the ledger of runs and the app's
/// metadata are not copied. Derived attributes are computed again.
///
/// The source is read in one state and is not changed. Rules of the model that the source breaks are broken in the
/// subset too and are reported as warnings. Memory needs a few bytes for each object, and for an anonymised attribute
/// of a uniqueness constraint two numbers for each value.
public struct Subset: Sendable {
    /// The options.
    public var options: SubsetOptions

    /// Describes a subset.
    public init(options: SubsetOptions) { self.options = options }

    /// Copies a part of an SQLite store into a new SQLite store.
    ///
    /// - Parameters:
    ///   - store: the source, which is not changed.
    ///   - model: nil for the model that the source contains.
    ///   - target: the new store, which appears only if everything succeeds.
    /// - Throws: ``GranaryError``: `usage` for selections, relationships and attributes that the model does not have;
    ///   `refused` if the source is no Core Data store or contains no model, and, with entity, attribute and rule, if
    ///   a value cannot be replaced; `unreadable` if the source or a file of external data is missing; `uncreatable` if
    ///   the target exists; `busy`; `inputOutput`; `interrupted` if the task is cancelled.
    @discardableResult
    public func run(store: URL, model: ManagedObjectModel? = nil, to target: URL) async throws -> SubsetReport {
        try await InBackground.run { cancellation in
            var subset = self
            subset.options.cancellation = options.cancellation ?? cancellation
            return try subset.run(
                path: store.path(percentEncoded: false), model: model, to: target.path(percentEncoded: false))
        }
    }

    /// Copies a part of a store to a new store. Each is a path, which messages contain as it is given, or a connection
    /// string of PostgreSQL.
    ///
    /// - Parameters:
    ///   - checking: called with the model before a file is created.
    ///   - beforePublishing: called when the new store is complete and before it gets its name.
    /// - Throws: as ``run(store:model:to:)``, and any error from `checking` and `beforePublishing`.
    package func run(
        path: String, model: ManagedObjectModel?, to target: String,
        checking: (Schema) throws -> Void = { _ in },
        beforePublishing: (SubsetReport) throws -> Void = { _ in }
    ) throws -> SubsetReport {
        let start = ContinuousClock.now
        var warnings: [Diagnostic] = []
        let output = SubsetOutput(path: target, options: options)
        try output.check(against: path)
        let source = try SubsetSource(path, model: model, options, &warnings)
        try checking(source.store.schema)
        let work = try SubsetRun(source.store.schema, options)
        let destination = try output.create(like: source, &warnings)
        var report = try work.run(source.store, into: destination) { report in
            guard options.ships, let file = destination as? SQLiteStore else { return }
            report.shipping = try ShippingReport(
                file, identifier: options.identifier, inlinesExternalData: options.inlinesExternalData, isChanged: true)
        }
        report.source = source.name
        report.store = output.name
        report.warnings.insert(contentsOf: warnings, at: 0)
        report.warningCount += warnings.count
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        try options.cancellation?.check()
        try beforePublishing(report)
        try destination.publish()
        return report
    }

    /// Checks the options against the model of the source, before anything is read.
    ///
    /// - Throws: as ``run(store:model:to:)``.
    package func check(path: String, model: ManagedObjectModel?) throws(GranaryError) {
        _ = try SubsetRun(schema(path: path, model: model), options)
    }

    /// The schema of a source.
    ///
    /// - Throws: as ``run(store:model:to:)``.
    package func schema(path: String, model: ManagedObjectModel?) throws(GranaryError) -> Schema {
        // The run reports them.
        var warnings: [Diagnostic] = []
        return try SubsetSource(path, model: model, options, &warnings).store.schema
    }

    /// Copies a part of an open store into an empty one of the same model.
    package func run(from source: any StoreBackend, into target: any StoreBackend) throws -> SubsetReport {
        try SubsetRun(source.schema, options).run(source, into: target)
    }
}
