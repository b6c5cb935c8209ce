import GranaryBase

/// Texts and their replacements, compared byte by byte.
///
/// The replacements have fixed addresses while the table exists, so that values can point to them as they point into
/// records.
///
/// `@unchecked Sendable` is safe: the table never changes.
final class ReplacementTable: @unchecked Sendable {
    /// The texts in the order of their bytes.
    let texts: [String]
    private let keys: [[UInt8]]
    /// The end of each replacement in `results`. It starts at the end of the one before.
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

    /// Returns the replacement for `text`; nil if the table does not have it.
    func replacement(for text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let index = keys.partitioningIndex { !$0.lexicographicallyPrecedes(text) }
        guard index < keys.count, keys[index].elementsEqual(text) else { return nil }
        return UnsafeBufferPointer(rebasing: results[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
}
