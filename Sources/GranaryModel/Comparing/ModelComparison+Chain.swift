import Foundation

extension ModelComparison {
    /// Returns the differences between two versions whose version hashes are known; nil for a model with problems.
    ///
    /// `ManagedObjectModel.differences(to:)` resolves both models for their hashes. A chain of 117 versions has 6,786
    /// pairs, so each model would be resolved 116 times.
    static func differences(
        from old: ManagedObjectModel, _ oldHashes: [String: Data]?, to new: ManagedObjectModel,
        _ newHashes: [String: Data]?
    ) -> ModelDifferences {
        var comparison = ModelComparison(old: old, new: new)
        comparison.compare()
        return ModelDifferences(
            changes: comparison.changes, entitiesWithOtherHashes: entitiesWithOtherHashes(oldHashes, newHashes))
    }

    private static func entitiesWithOtherHashes(_ old: [String: Data]?, _ new: [String: Data]?) -> [String]? {
        guard let old, let new else { return nil }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted(by: utf8Less)
    }
}
