/// Texts and what is read in their place, byte by byte.
///
/// The results stay where they are as long as the table lives, so that a value can point to them as it would into a
/// record. Unchecked: nothing changes once it is made.
final class ReplacementTable: @unchecked Sendable {
    /// What may stand in the file, in the order of its bytes.
    let texts: [String]
    private let keys: [[UInt8]]
    /// Where each result ends in `results`; it begins where the one before ends.
    private let ends: [Int]
    private let results: UnsafeMutableBufferPointer<UInt8>

    init(_ replacements: [String: String]) {
        let pairs = replacements.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        texts = pairs.map(\.key)
        keys = pairs.map { Array($0.key.utf8) }
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for (_, result) in pairs {
            bytes.append(contentsOf: result.utf8)
            ends.append(bytes.count)
        }
        self.ends = ends
        results = .allocate(capacity: bytes.count)
        _ = results.initialize(fromContentsOf: bytes)
    }

    deinit { results.deallocate() }

    /// What is read in place of `text`; nil where it is none of the table's.
    func replacement(for text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(text) { low = middle + 1 } else { high = middle }
        }
        guard low < keys.count, keys[low].elementsEqual(text) else { return nil }
        return UnsafeBufferPointer(rebasing: results[(low == 0 ? 0 : ends[low - 1])..<ends[low]])
    }
}
