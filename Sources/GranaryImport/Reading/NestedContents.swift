import GranaryModel

/// What one mention of a nested object says: for each member that it has, the bytes of its value. Mentions of one object
/// agree if the members that both have are equal.
struct NestedContents: Equatable {
    /// The number for members that have no property of the model.
    static let others = -1

    /// For each member in the order of its number, the number plus 1, the count of the bytes, and the bytes. A mention
    /// is kept as long as the import reads, so it takes one allocation.
    private var packed: [UInt8] = []

    /// Longer values are replaced by their digest, which has this length.
    private static let digestLength = 32

    init() {}

    /// - Parameter members: the values by the slots of their properties; ``others`` for those without one.
    init(_ members: [Int: [UInt8]]) {
        for (slot, value) in members.sorted(by: { $0.key < $1.key }) {
            var value = value
            if value.count >= Self.digestLength {
                var digest = ContentDigest()
                digest.update(value)
                value = digest.bytes
            }
            append(slot, value)
        }
    }

    private mutating func append(_ slot: Int, _ value: [UInt8]) {
        Varint.append(UInt64(clamping: slot + 1), to: &packed)
        Varint.append(UInt64(value.count), to: &packed)
        packed.append(contentsOf: value)
    }

    /// The values by slot. A long value is its digest.
    private var members: [Int: [UInt8]] {
        var members: [Int: [UInt8]] = [:]
        var rest = packed[...]
        while !rest.isEmpty {
            let slot = Int(clamping: Varint.next(&rest)) - 1
            let count = Int(clamping: Varint.next(&rest))
            members[slot] = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return members
    }

    /// The numbers of the members that another mention has too, with another value, sorted.
    func conflicts(with other: NestedContents) -> [Int] {
        if self == other { return [] }
        let members = members
        return other.members.filter { slot, value in members[slot].map { $0 != value } ?? false }.keys.sorted()
    }

    /// The numbers of the members that another mention has and this one does not.
    func missing(from other: NestedContents) -> Set<Int> {
        if self == other { return [] }
        return Set(other.members.keys).subtracting(members.keys)
    }

    /// The members of both mentions, which agree.
    func merged(with other: NestedContents) -> NestedContents {
        var merged = NestedContents()
        for (slot, value) in members.merging(other.members, uniquingKeysWith: { known, _ in known })
            .sorted(by: { $0.key < $1.key })
        {
            merged.append(slot, value)
        }
        return merged
    }

    /// Whether the mention has one of these members.
    func has(anyOf slots: Set<Int>) -> Bool { !slots.isDisjoint(with: members.keys) }
}
