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

    /// Whether Core Data can infer the mapping model, according to its documentation.
    public var isLightweight: Bool {
        !changes.contains { change in
            if case .needsMapping = change.migration { true } else { false }
        }
    }
}

extension ManagedObjectModel {
    /// Returns the differences between this model and a newer version.
    ///
    /// Entities and properties correspond if they have the same name, or if the newer one's renaming identifier is the
    /// older one's name or renaming identifier. Whether a mapping can be inferred follows only from Apple's "Migrating
    /// your data model automatically" (formerly "Using Lightweight Migration"), because there is no store to examine;
    /// changes that the document does not name are considered possible, with a warning.
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
