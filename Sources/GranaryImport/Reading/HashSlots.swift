/// A hash table of consecutive numbers. It stores 32 bits of each hash; the caller compares the keys.
///
/// The table is divided into parts that grow separately, each by half, so that growing needs little additional memory.
/// The table takes 11 to 16 bytes for each number.
struct HashSlots {
    /// Each slot has the number plus one in its lower half and the hash in its upper half; 0 is a free slot.
    private var parts: [[UInt64]] = Array(repeating: [], count: 1 << Self.partBits)
    private var counts: [Int] = Array(repeating: 0, count: 1 << Self.partBits)

    private static let partBits = 6

    /// Returns the number with this hash for which `isSame` is true.
    func find(_ hash: UInt32, isSame: (Int) -> Bool) -> Int? {
        let part = Self.part(of: hash)
        let size = parts[part].count
        guard size > 0 else { return nil }
        var place = Self.place(of: hash, size)
        while true {
            let slot = parts[part][place]
            guard slot != 0 else { return nil }
            if UInt32(truncatingIfNeeded: slot >> 32) == hash {
                let number = Int(slot & 0xFFFF_FFFF) - 1
                if isSame(number) { return number }
            }
            place = place + 1 == size ? 0 : place + 1
        }
    }

    /// Adds a number. Its key must not be in the table.
    mutating func insert(_ number: Int, hash: UInt32) {
        let part = Self.part(of: hash)
        counts[part] += 1
        if counts[part] * 4 > parts[part].count * 3 { grow(part) }
        Self.put(UInt64(hash) << 32 | UInt64(truncatingIfNeeded: number + 1), into: &parts[part])
    }

    private mutating func grow(_ part: Int) {
        var slots: [UInt64] = Array(repeating: 0, count: max(8, parts[part].count / 2 * 3))
        for slot in parts[part] where slot != 0 { Self.put(slot, into: &slots) }
        parts[part] = slots
    }

    private static func put(_ slot: UInt64, into slots: inout [UInt64]) {
        var place = place(of: UInt32(truncatingIfNeeded: slot >> 32), slots.count)
        while slots[place] != 0 { place = place + 1 == slots.count ? 0 : place + 1 }
        slots[place] = slot
    }

    private static func part(of hash: UInt32) -> Int { Int(hash >> (32 - UInt32(partBits))) }

    /// The first place of the search: the hash's lower bits, scaled to the size.
    private static func place(of hash: UInt32, _ size: Int) -> Int {
        let bits = 32 - partBits
        return ((Int(hash) & (1 << bits - 1)) &* size) >> bits
    }
}
