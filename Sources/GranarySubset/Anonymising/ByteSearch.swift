import GranaryBase

/// A search for many byte strings at once.
///
/// Sixteen bytes of each string are its key, or eight of a shorter one. Each place of the searched bytes is compared
/// with the keys by a table of bits, then by a hash table, and then with the whole string.
struct ByteSearch {
    private static let keyLength = 8
    /// Texts of the same words have many keys of eight bytes in common.
    private static let longKeyLength = 16

    private struct Entry {
        /// The place of the string in the bytes of all strings.
        let start: Int
        let count: Int
        /// Where the key ends in the string.
        let keyEnd: Int
        let identifier: Int
        /// The next string with the same key; -1 for none.
        let next: Int
    }

    /// A place of the hash table: the strings with a key.
    private struct Slot {
        var key: UInt64 = 0
        var count = 0
        /// The last string that was added.
        var entry = -1
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Twice as many as strings at least, so that there is always an empty one.
    private var slots: [Slot]
    private var bits: [UInt64]
    private let bitMask: UInt64
    /// Whether there are strings with keys of each length.
    private var hasKeys = (short: false, long: false)
    /// The length of the longest string.
    private var longest = 0

    /// - Parameter count: the number of strings that are expected.
    init(count: Int) {
        // At least 32 bits for a key, so that most places need no hash table.
        var size = 1024
        while size < count / 2, size < 1 << 20 { size *= 2 }
        bits = Array(repeating: 0, count: size)
        bitMask = UInt64(size * 64 - 1)
        slots = Array(repeating: Slot(), count: Self.slotCount(max(16, count)))
        entries.reserveCapacity(count)
    }

    private static func slotCount(_ count: Int) -> Int {
        var size = 32
        while size / 2 < count { size *= 2 }
        return size
    }

    /// Adds a string. One that is shorter than a key is ignored.
    mutating func add(_ string: ArraySlice<UInt8>, identifier: Int) {
        guard string.count >= Self.keyLength else { return }
        if entries.count >= slots.count / 2 { grow() }
        longest = max(longest, string.count)
        // Many strings can begin or end alike, such as addresses.
        let keyLength = string.count < Self.longKeyLength ? Self.keyLength : Self.longKeyLength
        hasKeys.short = hasKeys.short || keyLength == Self.keyLength
        hasKeys.long = hasKeys.long || keyLength == Self.longKeyLength
        let last = string.count - keyLength
        var best = candidate(string, 0..<keyLength)
        for offset in [last / 2, last] where best.count > 0 {
            let other = candidate(string, offset..<offset + keyLength)
            if other.count < best.count { best = other }
        }
        let entry = Entry(
            start: bytes.count, count: string.count, keyEnd: best.end, identifier: identifier,
            next: slots[best.slot].entry)
        slots[best.slot] = Slot(key: best.key, count: best.count + 1, entry: entries.count)
        entries.append(entry)
        bytes.append(contentsOf: string)
        let bit = Self.hash(best.key) & bitMask
        bits[Int(bit / 64)] |= 1 << (bit % 64)
    }

    /// A key that a string can have, and the number of strings that have it.
    private func candidate(
        _ string: ArraySlice<UInt8>, _ range: Range<Int>
    ) -> (key: UInt64, end: Int, slot: Int, count: Int) {
        var window = Window()
        for place in range { window.add(string[string.startIndex + place]) }
        let key = range.count == Self.keyLength ? window.key : window.longKey
        let slot = self.slot(of: key)
        return (key, range.upperBound, slot, slots[slot].count)
    }

    /// The last bytes that were read.
    private struct Window {
        private var last: UInt64 = 0
        private var before: UInt64 = 0

        /// The last eight bytes.
        var key: UInt64 { last }
        /// A hash of the last sixteen bytes.
        var longKey: UInt64 { (before &* 0xD1B5_4A32_D192_ED03) ^ (last &+ before >> 29) }

        mutating func add(_ byte: UInt8) {
            before = before << 8 | last >> 56
            last = last << 8 | UInt64(byte)
        }
    }

    /// The place of a key, or the empty one where it would be.
    private func slot(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var place = Int(Self.hash(key) >> 8) & mask
        while slots[place].count > 0, slots[place].key != key { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: slots.count * 2)
        for slot in old where slot.count > 0 { slots[self.slot(of: slot.key)] = slot }
    }

    private static func hash(_ key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) >> 24 }

    /// Calls `found` with the identifier of each string at each of its places.
    func search(_ searched: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
        bits.withUnsafeBufferPointer { bits in
            func isKnown(_ key: UInt64) -> Bool {
                let bit = Self.hash(key) & bitMask
                return bits[Int(truncatingIfNeeded: bit / 64)] & 1 << (bit % 64) != 0
            }
            let hasKeys = hasKeys
            var window = Window()
            for (place, byte) in searched.enumerated() {
                window.add(byte)
                if hasKeys.long, isKnown(window.longKey) {
                    compare(searched, key: window.longKey, end: place + 1, found)
                }
                if hasKeys.short, isKnown(window.key) { compare(searched, key: window.key, end: place + 1, found) }
            }
        }
    }

    /// Compares the strings with a key that is in the searched bytes.
    private func compare(
        _ searched: UnsafeBufferPointer<UInt8>, key: UInt64, end: Int, _ found: (Int) -> Void
    ) {
        var next = slots[slot(of: key)].entry
        while next >= 0 {
            let entry = entries[next]
            next = entry.next
            let start = end - entry.keyEnd
            guard start >= 0, start + entry.count <= searched.count,
                UnsafeBufferPointer(rebasing: searched[start..<start + entry.count])
                    .elementsEqual(bytes[entry.start..<entry.start + entry.count])
            else { continue }
            found(entry.identifier)
        }
    }

    /// Searches a file in pieces that overlap.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable`, or `interrupted`.
    func search(file path: String, _ cancellation: Cancellation?, _ found: (Int) -> Void) throws {
        let source = try ByteSource(path: path)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var kept = 0
        while true {
            try cancellation?.check()
            let start = kept
            let read = try piece.withUnsafeMutableBytes { buffer in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            }
            guard read > 0 else { return }
            let count = start + read
            piece.withUnsafeBufferPointer { search(UnsafeBufferPointer(rebasing: $0[..<count]), found) }
            // A string that is not whole yet begins in these bytes. A whole one that is found twice counts once.
            kept = min(count, max(0, longest - 1))
            let rest = Array(piece[(count - kept)..<count])
            piece.replaceSubrange(0..<kept, with: rest)
        }
    }
}
