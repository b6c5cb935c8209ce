/// An order of objects by their counts, or by their numbers.
struct RankedOrder: Sendable {
    /// Empty for the order of numbers.
    private let objects: [UInt32]
    private let ranks: [UInt32]

    /// The order of numbers.
    init() { (objects, ranks) = ([], []) }

    /// The objects with the largest counts first; those with equal counts in a given order.
    init(descending counts: [UInt32], _ order: Permutation) {
        var objects = counts.indices.map { UInt32(truncatingIfNeeded: order(UInt64($0))) }
        // The sort is stable.
        objects.sort { counts[Int($0)] > counts[Int($1)] }
        var ranks = Array(repeating: UInt32(0), count: objects.count)
        for (rank, object) in objects.enumerated() { ranks[Int(object)] = UInt32(truncatingIfNeeded: rank) }
        (self.objects, self.ranks) = (objects, ranks)
    }

    func object(_ rank: Int) -> Int { objects.indices.contains(rank) ? Int(objects[rank]) : rank }

    func rank(_ object: Int) -> Int { ranks.indices.contains(object) ? Int(ranks[object]) : object }
}
