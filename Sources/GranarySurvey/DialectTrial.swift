import GranaryBase
import GranaryFormats

/// How the beginning of a delimited file is read with one dialect.
struct DialectTrial {
    private(set) var options: CSVReader.Options
    private(set) var rows = 0
    /// The number of rows with the most frequent width.
    private(set) var fitting = 0
    private(set) var width = 1
    private(set) var malformed = 0
    private(set) var quoted = 0

    /// The number of rows before the header.
    private(set) var skipped = 0

    /// How many lines may stand before the header.
    private static let mostSkippedRows = 12
    private static let mostRows = 20_000

    /// The share of the rows that fit. Rows before the header count half, so that a dialect that needs none is
    /// better.
    var share: Double {
        let all = Double(rows) + Double(skipped) / 2
        return all == 0 ? 0 : Double(fitting) / all
    }

    /// Reads the sample, also without its first lines if they do not have the width of the others and the options skip
    /// none.
    init(_ options: CSVReader.Options, _ sample: [UInt8]) throws(GranaryError) {
        var options = options
        options.hasHeader = false
        self.options = options
        let rows = try CSVWidths(sample, options: options, limit: Self.mostRows).rows
        var counts: [Int: Int] = [:]
        for row in rows where row.width > 0 { counts[row.width, default: 0] += 1 }
        width = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
        self.rows = rows.count
        fitting = counts[width] ?? 0
        quoted = rows.reduce(0) { $0 + $1.quotedFields }
        malformed = rows.count { $0.width == 0 }
        guard options.skipRows == 0, let first = rows.firstIndex(where: { $0.width == width }), first > 0, width > 1,
            rows[first].line - 1 <= Self.mostSkippedRows, Self.separatorLine(sample) == nil
        else { return }
        // Lines before the header are no mistakes of the dialect.
        self.options.skipRows = rows[first].line - 1
        self.rows -= first
        skipped = first
        malformed -= rows[..<first].count { $0.width == 0 }
    }

    static func lines(_ sample: [UInt8]) -> [ArraySlice<UInt8>] {
        sample.split(maxSplits: 10_000, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
    }

    static func separatorLine(_ sample: [UInt8]) -> UInt8? {
        let mark = TextEncodingMark.utf8Length(sample)
        return sample.withUnsafeBufferPointer { SeparatorLine.delimiter(UnsafeBufferPointer(rebasing: $0[mark...])) }
    }
}
