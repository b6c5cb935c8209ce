/// Links whose numbers are given for the objects of one end, the owners. The objects of the other end, the members, get
/// equal shares.
///
/// Link *e* joins the owner in whose counts it lies with the member *e* + *shift* mod *members*.
struct CountedLinks: ObjectLinks {
    private let ownersAreFirst: Bool
    /// For each owner in the order of links the number of its first link, and the number of all links.
    private let starts: [UInt64]
    private let ownerOrder: RankedOrder
    private let memberOrder: Permutation?
    private let members: UInt64
    private let shift: UInt64

    private var links: UInt64 { starts.last ?? 0 }

    /// Links of two ends with different objects, or of many with many.
    ///
    /// - Parameters:
    ///   - counts: the counts of the owners; none is larger than `members`.
    ///   - members: the number of members that are linked.
    ///   - shift: 1 if both ends have the same objects, so that fewer are linked to themselves.
    init(_ counts: [UInt32], ownersAreFirst: Bool, members: UInt64, _ memberOrder: Permutation, shift: UInt64) {
        self.init(counts, RankedOrder(), ownersAreFirst: ownersAreFirst, members: members, memberOrder, shift: shift)
    }

    /// Links of a tree, or a circle if there are as many links as objects: owners are also members, each of at most one
    /// owner.
    init(treeOf counts: [UInt32], ownersAreFirst: Bool, _ order: Permutation) {
        // An owner with children is linked after at least as many links as there are owners before it, so each child
        // comes after its parent.
        let order = RankedOrder(descending: counts, order)
        self.init(counts, order, ownersAreFirst: ownersAreFirst, members: UInt64(counts.count), nil, shift: 1)
    }

    private init(
        _ counts: [UInt32], _ ownerOrder: RankedOrder, ownersAreFirst: Bool, members: UInt64,
        _ memberOrder: Permutation?, shift: UInt64
    ) {
        var starts: [UInt64] = [0]
        starts.reserveCapacity(counts.count + 1)
        var sum: UInt64 = 0
        for rank in counts.indices {
            sum += UInt64(counts[ownerOrder.object(rank)])
            starts.append(sum)
        }
        self.starts = starts
        self.ownerOrder = ownerOrder
        self.memberOrder = memberOrder
        self.ownersAreFirst = ownersAreFirst
        self.members = max(1, members)
        self.shift = shift
    }

    func second(of object: UInt64) -> [UInt64] { ownersAreFirst ? members(of: object) : owners(of: object) }

    func first(of object: UInt64) -> [UInt64] { ownersAreFirst ? owners(of: object) : members(of: object) }

    private func members(of owner: UInt64) -> [UInt64] {
        let rank = ownerOrder.rank(Int(clamping: owner))
        guard rank + 1 < starts.count else { return [] }
        return (starts[rank]..<starts[rank + 1]).map { link in
            let place = (link + shift) % members
            return memberOrder.map { $0(place) } ?? UInt64(ownerOrder.object(Int(clamping: place)))
        }
    }

    private func owners(of member: UInt64) -> [UInt64] {
        let place = memberOrder.map { $0.inverse(member) } ?? UInt64(ownerOrder.rank(Int(clamping: member)))
        guard place < members else { return [] }
        var owners: [UInt64] = []
        var link = (place + members - shift % members) % members
        while link < links {
            owners.append(UInt64(ownerOrder.object(rank(ofLink: link))))
            link += members
        }
        return owners
    }

    /// The rank of the owner with a link: the last one whose first link is not after it.
    private func rank(ofLink link: UInt64) -> Int {
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] <= link { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
