import Foundation

/// The differences between two versions of a model, and whether a lightweight migration is possible.
public struct ModelDifferences: Sendable, Hashable {
    /// Every change: entities by name, each followed by its properties, constraints and indexes; then changes that
    /// belong to no entity.
    public let changes: [ModelDifference]
    /// The names of the entities whose version hashes differ, or that only one version has; nil if one of the models
    /// has problems and therefore no hashes. If it is empty, Core Data opens a store without a migration.
    public let entitiesWithOtherHashes: [String]?

    /// Whether the models are equivalent. Notes, order, and renaming identifiers that equal the name do not count.
    public var isEqual: Bool { changes.isEmpty }

    /// Whether all version hashes are equal; nil if they are not known.
    public var hashesAreEqual: Bool? { entitiesWithOtherHashes?.isEmpty }

    /// The migration of a store from the older to the newer version: that of the change with the most difficult one, and
    /// `none` if all version hashes are equal.
    public var migration: ModelDifference.Migration {
        if hashesAreEqual == true { return .none }
        let hardest = changes.map(\.migration).max { $0.severity < $1.severity } ?? .none
        // Core Data migrates a store whose hashes differ, whatever the change.
        return hardest.severity < ModelDifference.Migration.inferred.severity && hashesAreEqual == false
            ? .inferred : hardest
    }

    /// Whether Core Data may infer the mapping model: no change needs one that is written. The data of a store can
    /// still prevent the migration (``migration``).
    public var isLightweight: Bool {
        if case .needsMapping = migration { false } else { true }
    }
}

extension ManagedObjectModel {
    /// Returns the differences between this model and a newer version.
    ///
    /// Entities and properties correspond if they have the same name, or if the newer one's renaming identifier is the
    /// older one's name or renaming identifier. Whether Core Data infers a mapping follows from Apple's "Migrating your
    /// data model automatically" (formerly "Using Lightweight Migration") and from models that apps have released without
    /// a mapping model (docs/core-data/migration.md). What neither shows is `unsure`.
    ///
    /// ```swift
    /// let differences = version1.differences(to: version2)
    /// if !differences.isLightweight { print(differences.changes.compactMap(\.migration.reason)) }
    /// ```
    ///
    /// - Complexity: linear in the sizes of the models, times the depth of inheritance for properties that only one of
    ///   them has.
    public func differences(to other: ManagedObjectModel) -> ModelDifferences {
        var comparison = ModelComparison(old: self, new: other)
        comparison.compare()
        return ModelDifferences(
            changes: comparison.changes, entitiesWithOtherHashes: Self.entitiesWithOtherHashes(self, other))
    }

    private static func entitiesWithOtherHashes(
        _ old: ManagedObjectModel, _ new: ManagedObjectModel
    ) -> [String]? {
        guard let old = try? old.resolved().versionHashes, let new = try? new.resolved().versionHashes else {
            return nil
        }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted(by: utf8Less)
    }
}
