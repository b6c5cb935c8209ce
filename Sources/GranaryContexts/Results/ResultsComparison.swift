/// Describes the difference between two states of a list.
struct ResultsComparison {
    private let before: [ResultsRun]
    private let after: ResultsList
    /// The places of the added entries among the kept ones.
    private let gaps: [ResultsInsertion.Gap]
    /// The names of the sections that are in both states. Nil if all are.
    private var keptNames: Set<String>?
    private var sectionChanges: [ResultsChange<ManagedObject>.SectionChange] = []

    init(before: [ResultsRun], after: ResultsList, gaps: [ResultsInsertion.Gap]) {
        self.before = before
        self.after = after
        self.gaps = gaps
        if before.elementsEqual(after.runs, by: ===) { return }
        let kept = keptSections()
        keptNames = kept
        for (index, run) in before.enumerated() where !kept.contains(run.name) {
            sectionChanges.append(.init(.delete, name: run.name, index: index))
        }
        for (index, run) in after.runs.enumerated() where !kept.contains(run.name) {
            sectionChanges.append(.init(.insert, name: run.name, index: index))
        }
    }

    /// Sections that have lost all their objects and got others are kept if they are where they were.
    private func keptSections() -> Set<String> {
        let old = Dictionary(zip(before.map(\.name), before.indices), uniquingKeysWith: { first, _ in first })
        let sections = after.runs.map { run -> (name: String, old: Int?, isSame: Bool) in
            let index = old[run.name]
            return (run.name, index, index.map { before[$0] === run } ?? false)
        }
        var kept: Set<String> = []
        var last = -1
        var limits: [Int] = []
        var limit = before.count
        for section in sections.reversed() {
            limits.append(limit)
            if section.isSame, let old = section.old { limit = old }
        }
        for (section, limit) in zip(sections, limits.reversed()) {
            guard let old = section.old, section.isSame || (old > last && old < limit) else { continue }
            kept.insert(section.name)
            last = old
        }
        return kept
    }

    func change(_ step: ResultsList.Step) -> ResultsChange<ManagedObject> {
        typealias Change = ResultsChange<ManagedObject>.ObjectChange
        let origins = origins(step)
        var deletions: [Change] = []
        let comingBack = Set(step.added.map { ObjectIdentifier($0.object) })
        for (entry, path) in step.removed where !comingBack.contains(ObjectIdentifier(entry.object)) {
            deletions.append(Change(.delete, entry.object.objectID, entry.object, at: path, to: nil))
        }
        var (insertions, moves): ([Change], [Change]) = ([], [])
        var updates = step.updated.map { entry, path in
            Change(.update, entry.object.objectID, entry.object, at: path, to: after.path(of: entry))
        }
        var last: (gap: ResultsInsertion.Gap, path: ResultsIndexPath)?
        for (entry, gap) in zip(step.added, gaps) {
            let (object, id, path) = (entry.object, entry.object.objectID, after.path(of: entry))
            guard let origin = origins[ObjectIdentifier(object)] else {
                insertions.append(Change(.insert, id, object, at: nil, to: path))
                continue
            }
            // Objects that stay between the same others, in the same order, have not moved.
            let isInOrder = last.map { $0.gap != gap || $0.path < origin.path } ?? true
            if origin.gap == gap, isInOrder, keptNames?.contains(gap.section) ?? true {
                last = (gap, origin.path)
                updates.append(Change(.update, id, object, at: origin.path, to: path))
            } else {
                moves.append(Change(.move, id, object, at: origin.path, to: path))
            }
        }
        let newPath = { (change: Change) in change.newIndexPath ?? ResultsIndexPath(item: 0) }
        updates.sort { newPath($0) < newPath($1) }
        return ResultsChange(
            sectionChanges: sectionChanges, objectChanges: deletions + insertions + moves + updates)
    }

    /// The old places of the removed objects.
    private func origins(
        _ step: ResultsList.Step
    ) -> [ObjectIdentifier: (gap: ResultsInsertion.Gap, path: ResultsIndexPath)] {
        var result: [ObjectIdentifier: (gap: ResultsInsertion.Gap, path: ResultsIndexPath)] = [:]
        var (section, removed) = (-1, 0)
        for (entry, path) in step.removed {
            if path.section != section { (section, removed) = (path.section, 0) }
            let gap = ResultsInsertion.Gap(section: before[section].name, item: path.item - removed)
            result[ObjectIdentifier(entry.object)] = (gap, path)
            removed += 1
        }
        return result
    }
}
