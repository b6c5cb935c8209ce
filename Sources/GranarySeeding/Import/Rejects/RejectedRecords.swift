import GranaryBase
import GranaryFormats

/// The numbers of the rejected records of a source.
///
/// They are bits in pages of 512 bytes, which are allocated on first use. 100 million records take at most 13 MB.
struct RejectedRecords: Sendable {
    /// The number of low bits that are the place in a page.
    private static let pageBits = 12
    private static let emptyPage = [UInt64](repeating: 0, count: (1 << pageBits) / 64)

    private var pages: [Int: [UInt64]] = [:]
    /// The number of records.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a record's number.
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
    /// Calls `body` with each of these records, including malformed ones. It does not read beyond the last one, because
    /// the rest of the source can be damaged.
    ///
    /// - Returns: the number of records found; less than ``count`` if the source has changed.
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
