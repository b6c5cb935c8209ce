#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What became of a record that an open quote has drawn over several lines.
struct CSVCut {
    /// In which of the record's fields its first line ends.
    var field: Int
    /// The physical line in which that field's quote is closed; nil where it was not, as far as was read.
    var closingLine: Int?
    /// Whether the record is broken right behind the quote that closes that field.
    var isBrokenThere: Bool
    /// The limit of bytes that ended the search for the closing quote; nil where the source did.
    var limit: Int?
    /// The physical line that reading goes on at; nil for none.
    var nextLine: Int?
}

extension CSVBatch {
    /// Whether the record at hand has a line end before `offset`; inside quotes then, since it is not whole.
    func isOverLines(to offset: Int) -> Bool {
        // The record lies in the buffer.
        let count = max(0, min(offset, rawCount) - recordStart)
        return memchr(raw + recordStart, 0x0A, count) != nil || memchr(raw + recordStart, 0x0D, count) != nil
    }

    /// The first line end at or after `start`, and where the line behind it begins.
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

    /// The end of the bytes, or of the line before a last line end.
    var endWithoutLineEnd: Int {
        var end = rawCount
        if end > recordStart, raw[end - 1] == 0x0A { end -= 1 }
        let hasCR = end > recordStart && raw[end - 1] == 0x0D
        // A CR before the LF belongs to it; a CR at the very end stands alone.
        if hasCR, end == rawCount || raw[end] == 0x0A { end -= 1 }
        return end
    }

    /// Notes of a record that is not cut that its open quote, not the text behind the closing one, is what to tell.
    ///
    /// - Returns: where the quote opens; nil where the place of the break is right.
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

    /// Ends the record at hand, which is broken at `offset`, before the line end at `end`, and goes back to the line
    /// that begins at `next`. Its row is told at the quote that its first line ends in.
    mutating func cutRecord(_ problem: Problem, at offset: Int, limit: Int?, end: Int, next: Int) {
        let firstEnd = lineBreak(from: recordStart)?.end ?? end
        var opening = openFieldStart
        var closing: Int? = problem == .textAfterQuote ? offset - 1 : nil
        var field = fieldCount
        while field > 0, opening > firstEnd {
            field -= 1
            // Behind a field that is over stand its quote and the delimiter.
            closing = opening - 2
            opening = recordStart + Int(fields[recordFields + field].rawStart)
        }
        let nextLine = line + lineEnds(from: recordStart, to: end) + 1
        cuts[rows.count] = CSVCut(
            field: field, closingLine: closing.map { line + lineEnds(from: recordStart, to: $0) },
            isBrokenThere: field == fieldCount, limit: limit, nextLine: nextLine)
        // What was decoded is decoded again.
        fields.removeLast(fields.count - recordFields)
        bytesCount = recordBytes
        appendRow(limit == nil ? problem : .unclosedQuote, end: end, problemOffset: opening - recordStart)
        line = nextLine
        isAfterCR = false
        startRecord(at: next)
    }
}
