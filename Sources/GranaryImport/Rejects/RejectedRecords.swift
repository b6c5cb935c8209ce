import GranaryBase
import GranaryFormats

/// The numbers of the rejected records of a source.
///
/// They are bits in pages of 512 bytes, which are allocated on first use. 100 million records take at most 13 MB.
struct RejectedRecords: Sendable {
    /// The number of records of a page.
    private static let pageSize = 4096
    private static let emptyPage = [UInt64](repeating: 0, count: pageSize / 64)

    private var pages: [Int: [UInt64]] = [:]
    /// The number of records.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a record's number.
    mutating func insert(_ record: Int) {
        guard !contains(record) else { return }
        pages[record / Self.pageSize, default: Self.emptyPage].setBit(record % Self.pageSize)
        count += 1
    }

    func contains(_ record: Int) -> Bool {
        pages[record / Self.pageSize]?.hasBit(record % Self.pageSize) ?? false
    }
}

extension RejectedRecords {
    /// Calls `body` with each of these records, and false for a malformed one. It does not read beyond the last one, because
    /// the rest of the source can be damaged.
    ///
    /// - Returns: the number of records found; less than ``count`` if the source has changed.
    func forEach(
        in reader: any RecordReader, _ body: (Record, Bool) throws(GranaryError) -> Void
    ) throws(GranaryError) -> Int {
        var record = Record()
        var found = 0
        while found < count {
            let isComplete: Bool
            switch try reader.next(into: &record) {
            case .end: return found
            case .record: isComplete = true
            case .malformed: isComplete = false
            }
            guard contains(record.number) else { continue }
            found += 1
            try body(record, isComplete)
        }
        return found
    }
}
