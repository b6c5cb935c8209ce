import GranaryBase
import GranaryFormats

/// The numbers of a source's records that were rejected.
///
/// Bits, in pages that are made when the first number falls into them: about half a kilobyte for a number that stands
/// alone, an eighth of a byte for each record where there are many. A hundred million records need 13 MB at most.
struct RejectedRecords: Sendable {
    /// How many bits of a number say its place in a page.
    private static let pageBits = 12
    private static let emptyPage = [UInt64](repeating: 0, count: (1 << pageBits) / 64)

    private var pages: [Int: [UInt64]] = [:]
    /// How many different numbers there are.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a number, once.
    mutating func insert(_ record: Int) {
        guard !contains(record) else { return }
        pages[record >> Self.pageBits, default: Self.emptyPage][Self.word(record)] |= Self.bit(record)
        count += 1
    }

    func contains(_ record: Int) -> Bool {
        guard let page = pages[record >> Self.pageBits] else { return false }
        return page[Self.word(record)] & Self.bit(record) != 0
    }

    private static func word(_ record: Int) -> Int { (record & ((1 << pageBits) - 1)) >> 6 }

    private static func bit(_ record: Int) -> UInt64 { 1 << UInt64(record & 63) }
}

extension RejectedRecords {
    /// Reads on and hands over the records with these numbers, malformed ones too; stops behind the last of them, since
    /// what comes later may be broken.
    ///
    /// - Returns: how many there were; fewer than ``count`` where the source has changed.
    func forEach(
        in reader: any RecordReader, _ body: (Record) throws(GranaryError) -> Void
    ) throws(GranaryError) -> Int {
        var record = Record()
        var found = 0
        while found < count {
            switch try reader.next(into: &record) {
            case .end: return found
            case .record, .malformed: break
            }
            guard contains(record.number) else { continue }
            found += 1
            try body(record)
        }
        return found
    }
}
