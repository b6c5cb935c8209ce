import Foundation

/// The cut of a malformed record that an open quote extended over several lines.
struct CSVCut {
    /// The index of the field in which the record's first line ends.
    var field: Int
    /// The physical line in which that field's quote is closed; nil if no closing quote was found.
    var closingLine: Int?
    /// Whether the record is malformed directly after the quote that closes that field.
    var isBrokenThere: Bool
    /// The byte limit that ended the search for the closing quote; nil if the source ended.
    var limit: Int?
    /// The physical line at which reading continues; nil at the end of the source.
    var nextLine: Int?
}

extension CSVBatch {
    /// Whether the unfinished record contains a line end before `offset`, which is then inside quotes.
    func isOverLines(to offset: Int) -> Bool {
        // The record is inside the buffer.
        let count = max(0, min(offset, rawCount) - recordStart)
        return memchr(raw + recordStart, 0x0A, count) != nil || memchr(raw + recordStart, 0x0D, count) != nil
    }

    /// The first line end at or after `start`, and the offset of the next line.
    func lineBreak(from start: Int) -> (end: Int, next: Int)? {
        var index = start
        while index < rawCount {
            let byte = raw[index]
            if byte == 0x0A { return (index, index &+ 1) }
            if byte == 0x0D {
                let isCRLF = index &+ 1 < rawCount && raw[index &+ 1] == 0x0A
                return (index, isCRLF ? index &+ 2 : index &+ 1)
            }
            index &+= 1
        }
        return nil
    }

    /// The end of the bytes without a final line end.
    var endWithoutLineEnd: Int {
        var end = rawCount
        if end > recordStart, raw[end - 1] == 0x0A { end -= 1 }
        let hasCR = end > recordStart && raw[end - 1] == 0x0D
        // A CR before an LF belongs to the same line end; a CR at the end of the bytes is a line end by itself.
        if hasCR, end == rawCount || raw[end] == 0x0A { end -= 1 }
        return end
    }

    /// Records, for a record that is not cut, that its diagnostic reports the opening quote instead of the text after
    /// the closing quote.
    ///
    /// - Returns: the offset of the opening quote; nil to report the original offset.
    mutating func noteOpening(_ problem: Problem, at offset: Int, end: Int) -> Int? {
        let opening = openFieldStart
        guard problem == .textAfterQuote, let first = lineBreak(from: recordStart), opening < first.end,
            first.end < offset
        else { return nil }
        cuts[rows.count] = CSVCut(
            field: fieldCount, closingLine: line + lineEnds(from: recordStart, to: offset - 1), isBrokenThere: true,
            limit: nil, nextLine: end < rawCount ? line + lineEnds(from: recordStart, to: end) + 1 : nil)
        return opening
    }

    /// Ends the current record, which is malformed at `offset`, before the line end at `end`, and returns to the line
    /// at `next`. The row is reported at the quote whose field contains the end of its first line.
    mutating func cutRecord(_ problem: Problem, at offset: Int, limit: Int?, end: Int, next: Int) {
        let firstEnd = lineBreak(from: recordStart)?.end ?? end
        var opening = openFieldStart
        var closing: Int? = problem == .textAfterQuote ? offset - 1 : nil
        var field = fieldCount
        while field > 0, opening > firstEnd {
            field -= 1
            // A finished field is followed by its quote and the delimiter.
            closing = opening - 2
            opening = recordStart + Int(fields[recordFields + field].rawStart)
        }
        let nextLine = line + lineEnds(from: recordStart, to: end) + 1
        cuts[rows.count] = CSVCut(
            field: field, closingLine: closing.map { line + lineEnds(from: recordStart, to: $0) },
            isBrokenThere: field == fieldCount, limit: limit, nextLine: nextLine)
        // The record's bytes will be decoded again.
        fields.removeLast(fields.count - recordFields)
        bytesCount = recordBytes
        appendRow(limit == nil ? problem : .unclosedQuote, end: end, problemOffset: opening - recordStart)
        line = nextLine
        isAfterCR = false
        startRecord(at: next)
    }
}
