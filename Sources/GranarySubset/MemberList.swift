/// The members of one object, as far as they matter for what the subset needs of them.
struct MemberList {
    private let minimum: Int
    private let mayBeEmpty: Bool
    let owner: Int64?
    private var taken = 0
    /// The first members that are not in the subset.
    private var others: [Int64] = []

    init(_ demand: SubsetDemand, owner: Int64? = nil) {
        minimum = demand.minimum
        mayBeEmpty = demand.mayBeEmpty
        self.owner = owner
    }

    mutating func add(_ member: Int64, isTaken: Bool) {
        if isTaken { taken += 1 } else if others.count < minimum { others.append(member) }
    }

    /// The members that must be added.
    var lacking: ArraySlice<Int64> {
        if taken == 0, mayBeEmpty { return [] }
        return others.prefix(max(0, minimum - taken))
    }
}
