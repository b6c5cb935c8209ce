import GranaryBase

/// Allocates the primary keys (`Z_PK`) of new rows: the next key of the hierarchy, or, in a store without objects, the
/// key in the row's `$id`.
struct PrimaryKeys {
    /// The primary keys of one hierarchy.
    private struct Root {
        let first: Int64
        var last: Int64
        /// The ranges of keys allocated in sequence.
        var given: [ClosedRange<Int64>] = []
        /// The keys allocated for a `$id`.
        var asked: Set<Int64> = []

        func isUsed(_ key: Int64) -> Bool {
            if key <= first || asked.contains(key) { return true }
            // The ranges ascend, so only the first that does not end before the key can contain it.
            let index = given.partitioningIndex { $0.upperBound >= key }
            return index < given.count && given[index].contains(key)
        }

        mutating func next() -> Int64? {
            let (key, overflow) = last.addingReportingOverflow(1)
            guard !overflow else { return nil }
            last = key
            if let run = given.last, run.upperBound == key - 1 {
                given[given.count - 1] = run.lowerBound...key
            } else {
                given.append(key...key)
            }
            return key
        }

        mutating func take(_ count: Int) {
            guard next() != nil, let run = given.popLast() else { return }
            last += Int64(count - 1)
            given.append(run.lowerBound...last)
        }

        /// Frees the last key, unless a larger key was allocated after it.
        mutating func giveBack(_ key: Int64) {
            guard last == key, let run = given.last, run.upperBound == key else { return }
            last = key - 1
            if run.lowerBound == key {
                given.removeLast()
            } else {
                given[given.count - 1] = run.lowerBound...(key - 1)
            }
        }

        mutating func take(_ key: Int64, insteadOf current: Int64) -> Bool {
            if key == current { return true }
            guard !isUsed(key) else { return false }
            giveBack(current)
            asked.insert(key)
            last = max(last, key)
            return true
        }
    }

    /// One allocated key, with the state needed to undo the allocation.
    private struct Step {
        let root: Int
        let key: Int64
        let lastBefore: Int64
        let isAsked: Bool
    }

    /// The state of each hierarchy by the root entity's index; nil for other entities.
    private var roots: [Root?]
    /// The keys of the current record, in order of allocation.
    private var steps: [Step] = []

    /// - Parameters:
    ///   - last: for each root entity, the highest primary key allocated before this import; larger keys are new.
    ///   - skipped: for root entities, the last key that is only allocated for an `$id`.
    init(last: [Int: Int64], skipping skipped: [Int: Int64] = [:]) {
        roots = Array(repeating: nil, count: (last.keys.max() ?? -1) + 1)
        for (root, key) in last { roots[root] = Root(first: key, last: max(key, skipped[root] ?? key)) }
    }

    private func root(_ index: Int) -> Root? { roots.indices.contains(index) ? roots[index] : nil }

    /// For each root entity, the highest allocated primary key.
    var last: [Int: Int64] {
        var last: [Int: Int64] = [:]
        for (index, root) in roots.enumerated() { if let root { last[index] = root.last } }
        return last
    }

    /// The root entities with new keys, and their highest key.
    var roundUp: [(root: Int, key: Int64)] {
        roots.enumerated().compactMap { index, root in
            guard let root, root.last > root.first || !root.asked.isEmpty else { return nil }
            return (index, root.last)
        }
    }

    /// Whether rows of the hierarchy have the key of their `$id`.
    func hasAsked(root index: Int) -> Bool { !(root(index)?.asked.isEmpty ?? true) }

    /// Lowers the highest key of a hierarchy by the number of rows that are not written.
    mutating func giveBackLast(_ count: Int, root: Int) {
        guard let old = self.root(root) else { return }
        roots[root] = Root(first: old.first, last: max(old.first, old.last - Int64(count)))
    }

    /// Replaces the state of one hierarchy.
    mutating func replace(root: Int, by other: PrimaryKeys) {
        if roots.indices.contains(root) { roots[root] = other.root(root) }
    }

    mutating func beginRecord() { steps.removeAll(keepingCapacity: true) }

    /// Whether the current record has allocated the key.
    func isOfRecord(_ key: Int64, root: Int) -> Bool { steps.contains { $0.key == key && $0.root == root } }

    /// Allocates the next key; nil if none is left.
    mutating func next(root: Int) -> Int64? {
        guard roots.indices.contains(root), let before = roots[root]?.last, let key = roots[root]?.next() else {
            return nil
        }
        steps.append(Step(root: root, key: key, lastBefore: before, isAsked: false))
        return key
    }

    /// The first of the next `count` keys; nil if fewer are left.
    func first(of count: Int, root: Int) -> Int64? {
        guard let last = self.root(root)?.last, count > 0, last <= Int64.max - Int64(count) else { return nil }
        return last + 1
    }

    /// Allocates the next `count` keys. ``rewindRecord()`` does not free them.
    mutating func take(_ count: Int, root: Int) {
        beginRecord()
        if count > 0, roots.indices.contains(root) { roots[root]?.take(count) }
    }

    /// Frees the key that was allocated last.
    mutating func giveBack(_ key: Int64, root: Int) {
        if let last = steps.last, last.root == root, last.key == key, !last.isAsked { steps.removeLast() }
        if roots.indices.contains(root) { roots[root]?.giveBack(key) }
    }

    /// Allocates the key of a `$id` in place of the last key; false if another row has it.
    mutating func take(_ key: Int64, insteadOf given: Int64, root: Int) -> Bool {
        guard roots.indices.contains(root), let before = roots[root]?.last,
            roots[root]?.take(key, insteadOf: given) ?? false
        else { return false }
        guard key != given else { return true }
        var lastBefore = before
        if let last = steps.last, last.root == root, last.key == given, !last.isAsked {
            lastBefore = last.lastBefore
            steps.removeLast()
        }
        steps.append(Step(root: root, key: key, lastBefore: lastBefore, isAsked: true))
        return true
    }

    /// Frees all keys of the current record, which was rejected.
    mutating func rewindRecord() {
        for step in steps.reversed() {
            if step.isAsked {
                roots[step.root]?.asked.remove(step.key)
                roots[step.root]?.last = step.lastBefore
            } else {
                roots[step.root]?.giveBack(step.key)
            }
        }
        steps.removeAll(keepingCapacity: true)
    }
}
