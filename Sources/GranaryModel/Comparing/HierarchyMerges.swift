/// The entities that are in one hierarchy in the newer version but were in several hierarchies in the older version.
///
/// "You can't, however, merge entity hierarchies; if two existing entities don't share a common parent in the source,
/// they can't share a common parent in the destination." (Apple, Using Lightweight Migration)
struct HierarchyMerges {
    /// By the entity's index in the newer version.
    private let merged: [Bool]

    init(entities: RenamePairs, old: EntityTree, new: EntityTree) {
        let (oldRoots, newRoots) = (Self.roots(old), Self.roots(new))
        // The root has no parent to share, so an entity that moves below a former root merges nothing.
        var origins: [Int: Set<Int>] = [:]
        for place in newRoots.indices where newRoots[place] != place {
            guard let oldPlace = entities.oldOfNew[place] else { continue }
            origins[newRoots[place], default: []].insert(oldRoots[oldPlace])
        }
        merged = newRoots.indices.map { place in
            newRoots[place] != place && origins[newRoots[place], default: []].count > 1
        }
    }

    func contains(_ place: Int) -> Bool { merged[place] }

    /// The root of each entity's hierarchy.
    private static func roots(_ tree: EntityTree) -> [Int] {
        var roots = Array(tree.parents.indices)
        // A parent is ordered before its children.
        for place in tree.order {
            if let parent = tree.parents[place] { roots[place] = roots[parent] }
        }
        return roots
    }
}
