import GranaryCoordination

/// A set of an entity's slots.
struct SlotMask: Equatable {
    private(set) var words: [UInt64]

    init(slotCount: Int) { words = Array(repeating: 0, count: (slotCount + 63) / 64) }

    mutating func insert(_ slot: Int) { words.setBit(slot) }

    func contains(_ slot: Int) -> Bool { words.hasBit(slot) }
}
