/// A save changes the order of new objects with equal keys: they get keys of their store.
extension ResultsList {
    /// Updates the order of objects without moving them.
    ///
    /// - Returns: false if the list would not be in order. It is unchanged then.
    mutating func renewTies(of objects: Set<ManagedObject>, _ tie: (ManagedObject) -> ResultsEntry.Tie) -> Bool {
        let changed = objects.compactMap { entry(of: $0) }
        let paths = changed.map { path(of: $0) }
        let old = changed.map(\.tie)
        for entry in changed { entry.tie = tie(entry.object) }
        guard paths.allSatisfy(isInOrder) else {
            for (entry, tie) in zip(changed, old) { entry.tie = tie }
            return false
        }
        for entry in changed where !entry.tie.isNew { newObjects.remove(entry.object) }
        return true
    }

    /// Whether an entry comes after the one before it and before the one after it.
    private func isInOrder(_ path: ResultsIndexPath) -> Bool {
        let entries = runs[path.section].entries
        let entry = entries[path.item]
        let previous =
            path.item > 0
            ? entries[path.item - 1] : path.section > 0 ? runs[path.section - 1].entries.last : nil
        let next =
            path.item + 1 < entries.count
            ? entries[path.item + 1]
            : path.section + 1 < runs.count ? runs[path.section + 1].entries.first : nil
        return previous.map { comesBefore($0, entry) } ?? true && next.map { comesBefore(entry, $0) } ?? true
    }
}
