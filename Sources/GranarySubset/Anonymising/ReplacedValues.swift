import GranaryBase
import GranaryCoordination
import GranaryModel

/// The values of a run that were replaced, for the search of the output.
///
/// A class, because it is filled while rows are changed. Memory is bounded: past a number of values, a part of them is
/// kept that depends on the values alone.
final class ReplacedValues {
    /// The attribute that had a value, by the entity that declares it.
    struct Place: Hashable {
        let owner: Int
        let slot: Int
    }

    /// A text, or binary data, that must not be in the output.
    struct Value {
        /// The bytes by which the value is found.
        let bytes: ArraySlice<UInt8>
        let isText: Bool
        let place: Place
    }

    private struct Entry {
        let fingerprint: UInt64
        let start: Int
        let count: Int
        let isText: Bool
        let place: Place
    }

    /// A shorter text occurs by chance.
    static let shortest = 8
    /// Shorter binary data occurs by chance.
    private static let shortestData = 16
    /// Values of fewer different bytes occur by chance, such as zeros.
    private static let differentBytes = 4
    /// A longer value is searched by this number of bytes from its middle.
    static let longest = 96
    /// The bytes of an external file that are read.
    private static let fileBytes = 4096
    /// The largest number of values in memory.
    private let limit: Int

    private var entries: [Entry] = []
    /// The bytes of all values.
    private var bytes: [UInt8] = []
    private var fingerprints: Set<UInt64> = []
    /// Values are kept whose fingerprint begins with this number of zeros.
    private(set) var sampleBits = 0

    init(limit: Int = 500_000) { self.limit = limit }

    var count: Int { entries.count }

    /// - Parameter index: from 0 to below ``count``.
    subscript(index: Int) -> Value {
        let entry = entries[index]
        return Value(
            bytes: bytes[entry.start..<entry.start + entry.count], isText: entry.isText, place: entry.place)
    }

    /// Notes the old value of a cell that was replaced.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` if it is in a file that cannot be read.
    func note(
        _ old: StoredCell, _ attribute: Schema.Attribute, _ batch: borrowing RowBatch
    ) throws(GranaryError) {
        let place = Place(owner: attribute.owner, slot: attribute.slot)
        switch old {
        case .text(let start, let count), .blob(let start, let count):
            var isText = false
            if case .text = old { isText = true }
            batch.lend(start, count) { add($0, isText: isText, place) }
        case .file(let start, let count):
            let path = batch.lend(start, count) { String(decoding: $0, as: UTF8.self) }
            // The beginning is enough: a copy of the file has it.
            var content = [UInt8](repeating: 0, count: Self.fileBytes)
            let source = try ByteSource(path: path)
            let read = try source.read(into: &content)
            content.withUnsafeBufferPointer {
                add(UnsafeBufferPointer(rebasing: $0.prefix(read)), isText: false, place)
            }
        default: break
        }
    }

    private func add(_ bytes: UnsafeBufferPointer<UInt8>, isText: Bool, _ place: Place) {
        guard bytes.count >= (isText ? Self.shortest : Self.shortestData) else { return }
        let middle = UnsafeBufferPointer(rebasing: bytes[Self.middle(bytes.count)])
        guard isText || Set(middle).count >= Self.differentBytes else { return }
        let fingerprint = Fingerprint.of(.binary(middle))
        guard fingerprint.leadingZeroBitCount >= sampleBits, fingerprints.insert(fingerprint).inserted else { return }
        entries.append(
            Entry(fingerprint: fingerprint, start: self.bytes.count, count: middle.count, isText: isText, place: place))
        self.bytes.append(contentsOf: middle)
        while entries.count > limit, sampleBits < 60 { sample() }
    }

    /// Removes about half of the values.
    private func sample() {
        sampleBits += 1
        let old = (entries: entries, bytes: bytes)
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        fingerprints.removeAll(keepingCapacity: true)
        for entry in old.entries where entry.fingerprint.leadingZeroBitCount >= sampleBits {
            fingerprints.insert(entry.fingerprint)
            entries.append(
                Entry(
                    fingerprint: entry.fingerprint, start: bytes.count, count: entry.count, isText: entry.isText,
                    place: entry.place))
            bytes.append(contentsOf: old.bytes[entry.start..<entry.start + entry.count])
        }
    }

    private static func middle(_ count: Int) -> Range<Int> {
        guard count > longest else { return 0..<count }
        let start = (count - longest) / 2
        return start..<start + longest
    }
}
