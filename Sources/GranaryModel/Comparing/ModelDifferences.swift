import Foundation

/// What one version of a model has differently from another, and whether a lightweight migration can follow it.
public struct ModelDifferences: Sendable, Hashable {
    /// Every change: entities by name, each followed by its properties, constraints and indexes; then what belongs to no
    /// entity.
    public let changes: [ModelDifference]
    /// The names of the entities whose version hashes differ, or that only one version has; nil where one of the
    /// models has problems and so has no hashes. Core Data opens a store without a migration where there are none.
    public let entitiesWithOtherHashes: [String]?

    /// Whether the models say the same. Notes, the order of things, and how a name is spelled out (a renaming
    /// identifier that is the name itself) do not count.
    public var isEqual: Bool { changes.isEmpty }

    /// Whether all version hashes are the same; nil where they are not known.
    public var hashesAreEqual: Bool? { entitiesWithOtherHashes?.isEmpty }

    /// Whether Core Data can infer the mapping model, by the rules of its documents.
    public var isLightweight: Bool {
        !changes.contains { change in
            if case .needsMapping = change.migration { true } else { false }
        }
    }
}

extension ManagedObjectModel {
    /// What a newer version of this model has differently.
    ///
    /// Entities and properties belong together that have the same name, or where the newer one's renaming identifier is
    /// the name, or the renaming identifier, of the older one. What can be inferred is decided by Apple's "Migrating your
    /// data model automatically" (formerly "Using Lightweight Migration") alone, since no store is at hand; what that
    /// document does not name is taken as possible, with a warning that says so.
    ///
    /// ```swift
    /// let differences = version1.differences(to: version2)
    /// if !differences.isLightweight { print(differences.changes.compactMap(\.migration.reason)) }
    /// ```
    ///
    /// - Complexity: as the sizes of the models, times the depth of inheritance for properties that are in one only.
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
