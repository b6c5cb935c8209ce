/// Which slots of its entity a row fills.
struct SlotMask: Equatable {
    private(set) var words: [UInt64]

    init(slotCount: Int) { words = Array(repeating: 0, count: (slotCount + 63) / 64) }

    mutating func insert(_ slot: Int) {
        guard slot >= 0, slot / 64 < words.count else { return }
        words[slot / 64] |= 1 << UInt64(slot % 64)
    }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    func contains(_ slot: Int) -> Bool {
        slot >= 0 && slot / 64 < words.count && words[slot / 64] & (1 << UInt64(slot % 64)) != 0
    }
}
