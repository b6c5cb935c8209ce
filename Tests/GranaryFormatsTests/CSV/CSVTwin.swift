import GranaryBase

@testable import GranaryFormats

/// The same reading as ``CSVReader``'s without a header, slow and obvious: one byte after the other, everything in
/// memory, each place counted from the start of the file.
struct CSVTwin {
    let bytes: [UInt8]
    let width: Int
    var comment: UInt8?
    /// Whether it only tries a line.
    private var isProbe = false
    private var index = 0
    private var mark = 0
    private var number = 0
    private(set) var outcomes: [Outcome] = []
    private(set) var skippedBlankLines = 0

    static func read(_ bytes: [UInt8], width: Int, comment: UInt8? = nil) -> (outcomes: [Outcome], skipped: Int) {
        var twin = CSVTwin(bytes: bytes, width: width, comment: comment)
        twin.readAll()
        return (twin.outcomes, twin.skippedBlankLines)
    }

    private init(bytes: [UInt8], width: Int, comment: UInt8?) {
        self.bytes = bytes
        self.width = width
        self.comment = comment
    }

    private mutating func readAll() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { mark = 3 }
        index = mark
        while index < bytes.count {
            if let comment, bytes[index] == comment {
                index = endOfLine(index)
            } else {
                readRecord()
            }
            skipLineEnd()
        }
    }

    private mutating func readRecord() {
        let start = index
        if isEnd(index) {
            guard width == 1 else {
                skippedBlankLines += 1
                return
            }
            number += 1
            outcomes.append(.record(fields: [""], number: number, line: place(start).line, offset: start, raw: []))
            return
        }
        number += 1
        var fields: [String] = []
        var starts: [Int] = []
        while true {
            starts.append(index)
            var text: [UInt8] = []
            let isQuoted = index < bytes.count && bytes[index] == 0x22
            if isQuoted {
                index += 1
                while true {
                    guard index < bytes.count else { return failUnclosed(start, starts) }
                    if bytes[index] == 0x22 {
                        guard index + 1 < bytes.count, bytes[index + 1] == 0x22 else { break }
                        index += 1
                    }
                    text.append(bytes[index])
                    index += 1
                }
                index += 1
                if !isEnd(index), bytes[index] != 0x2C {
                    return failSyntax(index, start, starts, isQuoted: true)
                }
            } else {
                while !isEnd(index), bytes[index] != 0x2C {
                    if bytes[index] == 0x22 { return failSyntax(index, start, starts, isQuoted: false) }
                    text.append(bytes[index])
                    index += 1
                }
            }
            let decoded = String(decoding: text, as: UTF8.self)
            fields.append(isQuoted ? "<\(decoded)>" : decoded)
            guard index < bytes.count, bytes[index] == 0x2C else { break }
            index += 1
        }
        let invalid = firstInvalid(start, index)
        let nul = bytes[start..<index].firstIndex(of: 0) ?? index
        if min(invalid, nul) < index { return fail("encoding.invalid", min(invalid, nul), start, end: index) }
        if fields.count != width {
            return fail("csv.ragged", fields.count > width ? starts[width] : index, start, end: index)
        }
        outcomes.append(
            .record(
                fields: fields, number: number, line: place(start).line, offset: start,
                raw: Array(bytes[start..<index])))
    }

    /// The end of the longest valid beginning.
    private func firstInvalid(_ start: Int, _ end: Int) -> Int {
        (start...end).last { String(validating: bytes[start..<$0], as: UTF8.self) != nil } ?? start
    }

    private mutating func fail(_ code: String, _ offset: Int, _ start: Int, end: Int) {
        let place = place(offset)
        outcomes.append(
            .malformed(
                code: code, line: place.line, column: place.column, offset: offset, record: number,
                raw: Array(bytes[start..<end])))
        index = end
    }

    private mutating func failUnclosed(_ start: Int, _ starts: [Int]) {
        if cut(start, starts, last: bytes.count - 1) { return }
        let end = lineEnds(from: start).last { isLastLineEnd($0) } ?? bytes.count
        fail("csv.syntax", starts.last ?? start, start, end: end)
    }

    private mutating func failSyntax(_ offset: Int, _ start: Int, _ starts: [Int], isQuoted: Bool) {
        if cut(start, starts, last: offset) { return }
        var place = offset
        if isQuoted, let first = lineEnds(from: start).first, first < offset, let opening = starts.last, opening < first
        {
            place = opening
        }
        fail("csv.syntax", place, start, end: endOfLine(offset))
    }

    /// Ends a record over several lines before the first line, up to `last`, that is a record by itself.
    private mutating func cut(_ start: Int, _ starts: [Int], last: Int) -> Bool {
        guard !isProbe, width > 1 else { return false }
        let ends = lineEnds(from: start)
        for end in ends {
            let line = end + (isCRLF(end) ? 2 : 1)
            guard line <= last else { return false }
            if isEnd(line) || bytes[line] == comment { continue }
            var probe = CSVTwin(bytes: Array(bytes[line...]), width: width, comment: comment)
            probe.isProbe = true
            probe.readRecord()
            guard case .record = probe.outcomes.first else { continue }
            fail("csv.syntax", starts.last { $0 < ends[0] } ?? start, start, end: end)
            return true
        }
        return false
    }

    /// Where lines end from an offset on; a CR LF once, at its CR.
    private func lineEnds(from start: Int) -> [Int] {
        (start..<bytes.count).filter { isEnd($0) && !($0 > start && isCRLF($0 - 1)) }
    }

    private func isCRLF(_ index: Int) -> Bool {
        bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
    }

    private func isLastLineEnd(_ index: Int) -> Bool { index + (isCRLF(index) ? 2 : 1) == bytes.count }

    private func isEnd(_ index: Int) -> Bool { index >= bytes.count || bytes[index] == 0x0A || bytes[index] == 0x0D }

    private func endOfLine(_ start: Int) -> Int {
        var index = start
        while !isEnd(index) { index += 1 }
        return index
    }

    private mutating func skipLineEnd() {
        guard index < bytes.count else { return }
        index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    }

    private func place(_ offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var start = mark
        for index in mark..<max(mark, offset) {
            let isCRLF = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if bytes[index] == 0x0A || (bytes[index] == 0x0D && !isCRLF) {
                line += 1
                start = index + 1
            }
        }
        return (line, offset - start + 1)
    }
}
