import GranaryBase

/// Changes the list and describes the change.
extension ResultsList {
    /// What became of an object: its new entry, or nil if it does not belong to the results any more.
    typealias Outcome = (object: ManagedObject, entry: ResultsEntry?)

    /// The outcomes that change something.
    struct Step {
        /// Entries that leave their places, with the places.
        var removed: [(entry: ResultsEntry, path: ResultsIndexPath)] = []
        /// Entries that get a place.
        var added: [ResultsEntry] = []
        /// Entries that keep their place, with their place before the change.
        var updated: [(entry: ResultsEntry, path: ResultsIndexPath)] = []

        var isEmpty: Bool { removed.isEmpty && added.isEmpty && updated.isEmpty }
    }

    /// Compares outcomes with the list. Each object may occur once.
    func step(_ outcomes: [Outcome]) -> Step {
        var step = Step()
        for outcome in outcomes {
            let old = entry(of: outcome.object)
            if let old, let new = outcome.entry, old.hasSamePlace(as: new) {
                step.updated.append((old, path(of: old)))
                continue
            }
            if let old { step.removed.append((old, path(of: old))) }
            if let new = outcome.entry { step.added.append(new) }
        }
        step.removed.sort { $0.path < $1.path }
        step.added.sort(by: comesBefore)
        return step
    }

    /// - Throws: ``GranaryError`` with code `usage` if the objects of a section would not be together. The list is
    ///   unchanged then.
    mutating func apply(_ step: Step) throws(GranaryError) -> ResultsChange<ManagedObject> {
        let before = runs
        remove(step.removed)
        let insertion: ResultsInsertion
        do {
            insertion = try ResultsInsertion(step.added, into: self)
        } catch {
            restore(before, step.removed)
            throw error
        }
        insertion.insert(into: &runs)
        for (entry, _) in step.removed {
            entries[ObjectIdentifier(entry.object)] = nil
            newObjects.remove(entry.object)
        }
        for entry in step.added {
            entries[ObjectIdentifier(entry.object)] = entry
            if entry.tie.isNew { newObjects.insert(entry.object) }
        }
        return ResultsComparison(before: before, after: self, gaps: insertion.gaps).change(step)
    }

    private mutating func remove(_ removed: [(entry: ResultsEntry, path: ResultsIndexPath)]) {
        var isAnyEmpty = false
        for (section, items) in Self.itemsBySection(removed) {
            runs[section].remove(items)
            if runs[section].entries.isEmpty { isAnyEmpty = true }
        }
        if isAnyEmpty, isSectioned { runs.removeAll { $0.entries.isEmpty } }
    }

    private mutating func restore(
        _ before: [ResultsRun], _ removed: [(entry: ResultsEntry, path: ResultsIndexPath)]
    ) {
        runs = before
        var rest = removed[...]
        for (section, items) in Self.itemsBySection(removed) {
            // A place among the kept entries is less by the number of the removed ones before it.
            let additions = zip(items.indices, zip(items, rest)).map { (item: $1.0 - $0, entry: $1.1.entry) }
            runs[section].insert(additions)
            rest = rest.dropFirst(items.count)
        }
    }

    /// The ascending places, by ascending section.
    private static func itemsBySection(
        _ removed: [(entry: ResultsEntry, path: ResultsIndexPath)]
    ) -> [(section: Int, items: [Int])] {
        var result: [(section: Int, items: [Int])] = []
        for (_, path) in removed {
            if let last = result.indices.last, result[last].section == path.section {
                result[last].items.append(path.item)
            } else {
                result.append((path.section, [path.item]))
            }
        }
        return result
    }
}
