import Foundation

/// The bytes of many keys, each after its length, in segments that are not copied when the list grows.
struct KeyBytes {
    private static let segmentBits = 16
    private var segments: [[UInt8]] = []

    /// - Returns: the start of the key: its segment and its offset there.
    mutating func append(_ key: [UInt8]) -> Int {
        // The length takes 10 bytes at most.
        if segments.last.map({ $0.count + key.count + 10 > 1 << Self.segmentBits }) ?? true { segments.append([]) }
        let last = segments.count - 1
        let start = segments[last].count
        Varint.append(UInt64(key.count), to: &segments[last])
        segments[last].append(contentsOf: key)
        return last << Self.segmentBits | start
    }

    subscript(start: Int) -> ArraySlice<UInt8> {
        var rest = segments[start >> Self.segmentBits][(start & (1 << Self.segmentBits - 1))...]
        let count = Int(clamping: Varint.next(&rest))
        return rest.prefix(count)
    }

    func isEqual(_ key: [UInt8], to start: Int) -> Bool {
        segments[start >> Self.segmentBits].withUnsafeBufferPointer { bytes in
            var place = start & (1 << Self.segmentBits - 1)
            var count = Int(bytes[place] & 0x7F)
            var shift = 7
            while bytes[place] >= 0x80 {
                place += 1
                count |= Int(bytes[place] & 0x7F) << shift
                shift += 7
            }
            guard count == key.count else { return false }
            let found = UnsafeBufferPointer(rebasing: bytes[place + 1..<place + 1 + count])
            return key.withUnsafeBufferPointer { key in
                guard let one = found.baseAddress, let other = key.baseAddress else { return true }
                return memcmp(one, other, count) == 0
            }
        }
    }
}
