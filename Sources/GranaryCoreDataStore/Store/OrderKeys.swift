import GranaryBase
import GranaryCoordination

/// Computes the order keys of a list's members (`Z_FOK_…`, docs/core-data/sqlite-layout.md#order-keys). Keys are
/// numbers with gaps between them.
enum OrderKeys {
    /// The key of the first member of a new list.
    static let first: Int64 = 2048
    /// The distance between the keys of neighbours in a new list.
    static let step: Int64 = 1024

    /// Returns ascending keys and changes as few of the present ones as possible.
    ///
    /// New members get keys spread evenly over the gaps, or keys after the last one. If a gap is too narrow, all
    /// members get new keys.
    ///
    /// - Parameter present: the present key of each member, in the new order; nil for a new member.
    static func keys(keeping present: [Int64?]) -> [Int64] {
        let isKept = placesInOrder(present)
        var keys: [Int64] = []
        keys.reserveCapacity(present.count)
        var newcomers: Int64 = 0
        for (place, key) in present.enumerated() {
            guard let key, isKept[place] else {
                newcomers += 1
                continue
            }
            let lower = keys.last ?? 0
            let (gap, overflow) = key.subtractingReportingOverflow(lower)
            let part = gap / (newcomers + 1)
            guard newcomers == 0 || (!overflow && part > 0) else { return fresh(present.count) }
            while newcomers > 0 {
                keys.append((keys.last ?? 0) + part)
                newcomers -= 1
            }
            keys.append(key)
        }
        while newcomers > 0 {
            let (key, overflow) = (keys.last ?? first - step).addingReportingOverflow(step)
            guard !overflow else { return fresh(present.count) }
            keys.append(key)
            newcomers -= 1
        }
        return keys
    }

    private static func fresh(_ count: Int) -> [Int64] { (0..<count).map { first + Int64($0) * step } }

    /// Whether each key belongs to the longest ascending subsequence.
    private static func placesInOrder(_ keys: [Int64?]) -> [Bool] {
        // `ends[n]` is the last place of the ascending subsequence of length n + 1 with the lowest last key. `before`
        // holds the predecessor of each place in its subsequence.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: keys.count)
        for (place, key) in keys.enumerated() {
            guard let key else { continue }
            let length = ends.partitioningIndex { keys[$0].map { $0 >= key } ?? true }
            before[place] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(place) } else { ends[length] = place }
        }
        var isInOrder = [Bool](repeating: false, count: keys.count)
        var place = ends.last
        while let current = place {
            isInOrder[current] = true
            place = before[current]
        }
        return isInOrder
    }
}
