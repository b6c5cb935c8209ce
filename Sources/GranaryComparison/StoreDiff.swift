public import Foundation
import GranaryBase
package import GranaryCoordination

/// Compares two stores, files or those of open containers, or a store and an export, object by object.
///
/// ```swift
/// let summary = try await StoreDiff().run(shipped, built) { difference in
///     print(difference.kind, difference.object.id)
/// }
/// print(summary.isEqual)
/// ```
///
/// Objects of an entity are paired by the values of its natural key: the attributes of ``StoreDiffOptions/keys`` or of
/// the entity's uniqueness constraint. Objects whose key contains NULL or is not unique in its store, and objects of
/// entities without a key, are paired with each other by `$id`.
///
/// Values are equal if they have the same bits: NULL, an empty text and 0 differ, and text compares by its UTF-8 bytes.
/// External binary data compares by content, and transformable attributes by their bytes. Two references are equal if
/// their destinations are a pair. A to-many relationship compares as a set, an ordered one as a list. Transient and
/// derived attributes are not compared. Of a relationship and its inverse, one side is compared, so that a changed link
/// is one difference; the other side is compared too if the objects at the first one are not.
///
/// Each store is read in one state. An export is imported into a temporary store first. Memory does not grow with the
/// stores: the keys are sorted in a temporary file.
public struct StoreDiff: Sendable {
    /// The options.
    public let options: StoreDiffOptions

    /// Creates a comparison; by default one that pairs objects by their uniqueness constraints.
    public init(options: StoreDiffOptions = StoreDiffOptions()) { self.options = options }

    /// Compares two SQLite stores or exports, which are not changed.
    ///
    /// An export is a property list (also an archive store), a JSON document, a file of one entity that has the name of
    /// its entity or records with `$id`, or a folder of such files. Only the entities that an
    /// export contains are compared, and only the properties for which files of one entity have columns. An export is
    /// restored as it is: rules of the model that it breaks are no errors.
    ///
    /// - Parameter report: receives each difference, on another thread: entity by entity in the order of the first
    ///   model, and within an entity in the order of the primary keys of the first store, followed by the objects that
    ///   only the second store has.
    /// - Throws: ``GranaryError``, whose message begins with `A` or `B` if one of the two caused it: `unreadable` for a
    ///   missing file; `refused` for a file that is no Core Data store, and with the diagnostics for an export that no
    ///   store can hold; `usage` for a key or an entity that the models do not have, for an export without any model,
    ///   and for a file of one entity that nothing names; `busy` for a store that another process uses; `inputOutput`
    ///   if reading fails or there is no room for the temporary file; `interrupted` if the task is cancelled.
    @discardableResult
    public func run(
        _ a: URL, _ b: URL, report: @escaping @Sendable (ObjectDifference) -> Void = { _ in }
    ) async throws -> StoreDiffSummary {
        try await run(.file(a), .file(b), report: report)
    }

    /// Compares two sides of which each is a file, as ``run(_:_:report:)-(URL,_,_)`` describes it, or the stores of an
    /// open container. Unsaved changes of contexts are not compared. ``StoreDiffOptions/model`` is for files.
    ///
    /// ```swift
    /// let summary = try await StoreDiff().run(.container(container), .file(URL(filePath: "Seed.sqlite")))
    /// ```
    /// - Parameter report: receives each difference, on another thread, while the comparison has the stores: it must not
    ///   use the containers.
    /// - Throws: as the comparison of two files; `usage` also for a container without stores, and for the same container
    ///   twice.
    @discardableResult
    public func run(
        _ a: ComparedStore, _ b: ComparedStore, report: @escaping @Sendable (ObjectDifference) -> Void = { _ in }
    ) async throws -> StoreDiffSummary {
        try await InBackground.run { cancellation in
            var options = options
            options.cancellation = options.cancellation ?? cancellation
            let diff = StoreDiff(options: options)
            return try ComparedStore.withInputs(a, b) { a, b in try diff.run(a, b, report: report) }
        }
    }

    /// Compares two files or folders by their paths, which messages repeat unchanged.
    ///
    /// - Throws: as ``run(_:_:report:)``, and any error from `report`.
    package func run(
        paths a: String, _ b: String, report: (ObjectDifference) throws -> Void
    ) throws -> StoreDiffSummary {
        try run(try DiffInputs.Input(a, "A"), try DiffInputs.Input(b, "B"), report: report)
    }

    private func run(
        _ a: DiffInputs.Input, _ b: DiffInputs.Input, report: (ObjectDifference) throws -> Void
    ) throws -> StoreDiffSummary {
        let folder = try DiffFolder()
        var inputs = DiffInputs(a, b, options: options, folder: folder)
        try inputs.open()
        guard let first = inputs.a.store, let second = inputs.b.store else {
            throw GranaryError(.internalDefect, "the comparison did not open its stores")
        }
        var summary = try run(
            stores: first, second, limits: inputs.limits, columns: inputs.columns, folder: folder, report: report)
        summary.warnings = inputs.warnings + summary.warnings
        return summary
    }

    /// Compares two open stores.
    ///
    /// - Throws: as ``run(_:_:report:)``, and any error from `report`.
    package func run(
        stores a: any StoreBackend, _ b: any StoreBackend, report: (ObjectDifference) throws -> Void
    ) throws -> StoreDiffSummary {
        try run(stores: a, b, limits: [], folder: try DiffFolder(), report: report)
    }

    private func run(
        stores a: any StoreBackend, _ b: any StoreBackend, limits: [Set<String>], columns: [DiffColumns] = [],
        folder: DiffFolder, report: (ObjectDifference) throws -> Void
    ) throws -> StoreDiffSummary {
        let plan = try DiffPlan(a.schema, b.schema, options, limits: limits, columns: columns)
        let index = try translating { try PairIndex(folder: folder) }
        return try translating {
            try a.reading {
                try b.reading {
                    var comparison = StoreComparison(
                        a: DiffSide("A", a, plan.keysInA), b: DiffSide("B", b, plan.keysInB), plan: plan, index: index,
                        cancellation: options.cancellation)
                    var summary = try comparison.run(report)
                    summary.warnings = plan.notes + summary.warnings
                    return summary
                }
            }
        }
    }
}
