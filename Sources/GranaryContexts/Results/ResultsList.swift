import GranaryPredicates

/// The objects of results in order and by sections.
///
/// Places are found by binary search: first among the sections, then in one section.
struct ResultsList {
    let order: SortOrder
    /// Without sections there is always one run, which may be empty.
    let isSectioned: Bool
    var runs: [ResultsRun]
    var entries: [ObjectIdentifier: ResultsEntry] = [:]
    /// The objects that no store has yet. A save changes their order among objects with equal keys.
    var newObjects: Set<ManagedObject> = []

    init(order: SortOrder, isSectioned: Bool) {
        self.order = order
        self.isSectioned = isSectioned
        runs = isSectioned ? [] : [ResultsRun(name: "")]
    }

    var count: Int { entries.count }

    func entry(of object: ManagedObject) -> ResultsEntry? { entries[ObjectIdentifier(object)] }

    func comesBefore(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool {
        let result = order.order(left.keys, right.keys)
        if result != 0 { return result < 0 }
        if left.tie != right.tie { return left.tie < right.tie }
        // In a child context, objects that its parent has discarded may have equal numbers.
        return ObjectIdentifier(left.object) < ObjectIdentifier(right.object)
    }

    /// The place of an entry that is in the list.
    func path(of entry: ResultsEntry) -> ResultsIndexPath {
        let place = place(of: entry)
        return ResultsIndexPath(section: max(0, place.section), item: place.item)
    }

    /// The place where an entry is, or where it belongs: the last section that does not begin after it (-1 if all do),
    /// and the number of this section's entries before it.
    func place(of entry: ResultsEntry) -> (section: Int, item: Int) {
        var section = 0
        if isSectioned {
            let following = runs.partitioningIndex { run in run.entries.first.map { comesBefore(entry, $0) } ?? true }
            section = following - 1
            guard section >= 0 else { return (-1, 0) }
        }
        return (section, runs[section].entries.partitioningIndex { !comesBefore($0, entry) })
    }
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `belongsToSecond` is true. The elements for which it is false must come
    /// first.
    fileprivate func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
