/// Gives the rows of an import their keys (`Z_PK`): the next one of their hierarchy, or in a store without objects the
/// one that their `$id` names.
struct ImportKeys {
    /// What one hierarchy has given out.
    private struct Root {
        let first: Int64
        var last: Int64
        /// Runs of keys that rows were given without asking for one.
        var given: [ClosedRange<Int64>] = []
        var asked: Set<Int64> = []

        func isUsed(_ key: Int64) -> Bool {
            if key <= first || asked.contains(key) { return true }
            // The runs rise, so the first that does not end before the key is the one that may hold it.
            var low = 0
            var high = given.count
            while low < high {
                let middle = (low + high) / 2
                if given[middle].upperBound < key { low = middle + 1 } else { high = middle }
            }
            return low < given.count && given[low].contains(key)
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

        /// The key just given is free again: the next row takes it unless a larger one came.
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

    private var roots: [Int: Root]

    /// - Parameter last: the last key of each hierarchy that the store has given out, by root entity.
    init(last: [Int: Int64]) {
        roots = last.mapValues { Root(first: $0, last: $0) }
    }

    /// The last keys by root entity; what the store must not give again.
    var last: [Int: Int64] { roots.mapValues(\.last) }

    /// Whether this import gave the key.
    func isOurs(root: Int, key: Int64) -> Bool { key > roots[root]?.first ?? 0 }

    /// A key that nobody has; nil when there is none left.
    mutating func next(root: Int) -> Int64? { roots[root, default: Root(first: 0, last: 0)].next() }

    /// The key that was given last is not needed.
    mutating func giveBack(_ key: Int64, root: Int) { roots[root]?.giveBack(key) }

    /// Whether keys were given that the store does not know of.
    func hasGiven(root: Int) -> Bool { roots[root].map { $0.last > $0.first || !$0.asked.isEmpty } ?? false }

    /// Takes a key that a row asks for in place of the one it was given last; false where another row has it.
    mutating func take(_ key: Int64, insteadOf given: Int64, root: Int) -> Bool {
        roots[root, default: Root(first: 0, last: 0)].take(key, insteadOf: given)
    }
}
