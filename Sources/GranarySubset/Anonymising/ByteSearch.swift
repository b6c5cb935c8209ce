import GranaryBase

/// A search for many byte strings at once.
///
/// Eight bytes of each string are its key. Each place of the searched bytes is compared with the keys by a table of
/// bits, then by a dictionary, and then with the whole string.
struct ByteSearch {
    private static let keyLength = 8

    private struct Entry {
        let bytes: [UInt8]
        /// Where the key begins in the string.
        let offset: Int
        let identifier: Int
    }

    private var entries: [UInt64: [Entry]] = [:]
    private var bits: [UInt64]
    private let mask: UInt64
    /// The length of the longest string.
    private var longest = 0

    /// - Parameter count: the number of strings that are added.
    init(count: Int) {
        // At least 16 bits for a key, so that most places need no dictionary.
        var size = 1024
        while size < count, size < 1 << 20 { size *= 2 }
        bits = Array(repeating: 0, count: size)
        mask = UInt64(size * 64 - 1)
    }

    /// Adds a string. One that is shorter than a key is ignored.
    mutating func add(_ bytes: [UInt8], identifier: Int) {
        guard bytes.count >= Self.keyLength else { return }
        longest = max(longest, bytes.count)
        // Many strings can begin or end alike, such as addresses.
        let last = bytes.count - Self.keyLength
        var best: (key: UInt64, offset: Int, count: Int)?
        for offset in Set([0, last / 2, last]).sorted() {
            let key = bytes[offset..<offset + Self.keyLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let count = entries[key]?.count ?? 0
            if best.map({ count < $0.count }) ?? true { best = (key, offset, count) }
        }
        guard let best else { return }
        entries[best.key, default: []].append(Entry(bytes: bytes, offset: best.offset, identifier: identifier))
        let bit = Self.bit(best.key) & mask
        bits[Int(bit / 64)] |= 1 << (bit % 64)
    }

    private static func bit(_ key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) >> 24 }

    /// Calls `found` with the identifier of each string at each of its places.
    func search(_ bytes: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
        var window: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            guard index >= Self.keyLength - 1 else { continue }
            let bit = Self.bit(window) & mask
            guard bits[Int(bit / 64)] & 1 << (bit % 64) != 0, let candidates = entries[window] else { continue }
            for entry in candidates {
                let start = index - (Self.keyLength - 1) - entry.offset
                guard start >= 0, start + entry.bytes.count <= bytes.count,
                    UnsafeBufferPointer(rebasing: bytes[start..<start + entry.bytes.count]).elementsEqual(entry.bytes)
                else { continue }
                found(entry.identifier)
            }
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
