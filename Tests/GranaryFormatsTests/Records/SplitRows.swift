import GranaryBase
import GranaryFormats
import TestSupport

/// A value of a generated row: one value, or a list.
enum RowValue {
    /// The column is not written.
    case omitted
    case single(SampleValue)
    case list([SampleValue])
}

/// Generated rows, and the ways to write them.
enum SplitRows {
    static func rows(
        _ count: Int, columns: Int, using random: inout SeededGenerator
    ) -> [[RowValue]] {
        (0..<count).map { _ in
            (0..<columns).map { _ -> RowValue in
                switch Int.random(in: 0..<12, using: &random) {
                case 0: return .omitted
                case 1:
                    return .list(
                        (0..<Int.random(in: 0...3, using: &random)).map { _ in
                            // A list cannot hold NULL in every format.
                            value(kind: Int.random(in: 1..<SampleValue.kindCount, using: &random), &random)
                        })
                default: return .single(value(kind: Int.random(in: 0..<SampleValue.kindCount, using: &random), &random))
                }
            }
        }
    }

    private static let words = [
        "", "a", "1", "-", "-1", "true", "NULL", "null", "'x", "=1+1", "+1", "@x", "\tx", "#c", "a,b", "a;b", "a|b",
        "a\"b",
        "it's", "line\nend", "\r", "\u{FEFF}x", "\u{FEFF}", "\u{0}", "\u{1F}", "\u{7F}", "\\", "1.5", "2026-07-29",
        "\u{FF1D}x",
        "plain text that is longer than a block of sixteen bytes", "seventeen bytes, \"", "é", "e\u{301}😀",
    ]

    private static func value(kind: Int, _ random: inout SeededGenerator) -> SampleValue {
        guard kind == 7 || kind == 8 else { return .random(kind: kind, using: &random) }
        let word = words.randomElement(using: &random) ?? ""
        return kind == 7 ? .text(word) : .uri(word)
    }

    static func write(_ rows: ArraySlice<[RowValue]>, into writer: some ValueWriter) throws {
        for row in rows {
            try writer.beginRow()
            for (column, value) in row.enumerated() {
                switch value {
                case .omitted: break
                case .single(let value): try value.borrowed { try writer.write($0, column: column) }
                case .list(let elements):
                    try writer.beginList(column: column)
                    for element in elements { try element.borrowed { try writer.writeElement($0) } }
                    try writer.endList()
                }
            }
            try writer.endRow()
        }
    }

    /// Writes the rows of the current table through parts of random sizes, some of them several times and some rows
    /// without a part. Parts are filled before those before them are written.
    static func writeInParts<Writer: SplitWriter>(
        _ rows: [[RowValue]], columns: [String], into writer: Writer, using random: inout SeededGenerator
    ) throws {
        var start = 0
        var waiting: [Writer.Part] = []
        var free: [Writer.Part] = []
        func writeOut() throws {
            for part in waiting { try writer.append(rowsOf: part) }
            free += waiting
            waiting = []
        }
        while start < rows.count {
            let end = min(rows.count, start + Int.random(in: 0...4, using: &random))
            if Int.random(in: 0..<5, using: &random) == 0 {
                try writeOut()
                try write(rows[start..<end], into: writer)
            } else {
                let part = try free.popLast() ?? writer.makePart(columns: columns)
                try write(rows[start..<end], into: part)
                waiting.append(part)
                if waiting.count > 3 { try writeOut() }
            }
            start = end
        }
        try writeOut()
    }
}
