import Foundation
import GranaryBase

/// Tests whether a record begins at a line: whether the line has the right number of fields, and the columns accept
/// them.
///
/// One rejected field is allowed if more fields are accepted by columns that reject some texts: such a row is reported
/// as invalid by itself. Without such columns, a record needs several fields.
struct CSVLineProbe {
    enum Finding {
        case fits, doesNotFit
        /// The buffer ends inside the record.
        case needsMore
    }

    private struct Part {
        var start: Int
        var end: Int
        var isQuoted: Bool
    }

    private let options: CSVReader.Options
    private let width: Int?
    private let judge: (any FieldTypeCheck)?
    private let canReject: Bool
    private var parts: [Part] = []
    private var decoded: [UInt8] = []
    private var work = 0

    init(options: CSVReader.Options, width: Int?, judge: (any FieldTypeCheck)?) {
        self.options = options
        self.width = width
        self.judge = judge
        canReject = (0..<(width ?? 0)).contains { judge?.canReject(column: $0) ?? false }
    }

    /// The number of bytes examined since the last call.
    mutating func takeWork() -> Int {
        defer { work = 0 }
        return work
    }

    mutating func look(at raw: UnsafeBufferPointer<UInt8>, from start: Int, isAtEnd: Bool) -> Finding {
        guard start < raw.count else { return isAtEnd ? .doesNotFit : .needsMore }
        // In a single String column every line would fit.
        if let width, width < 2, !canReject { return .doesNotFit }
        // Blank lines and comments are not records.
        if isLineEnd(raw[start]) || raw[start] == options.comment { return .doesNotFit }
        var index = start
        let finding = split(raw, &index, isAtEnd: isAtEnd)
        work += index - start
        guard finding == .fits else { return finding }
        guard width.map({ parts.count == $0 }) ?? (parts.count > 1) else { return .doesNotFit }
        let record = UnsafeBufferPointer(rebasing: raw[start..<index])
        guard UTF8Text.firstInvalid(in: record) == nil, options.allowsNUL || UTF8Text.firstNUL(in: record) == nil else {
            return .doesNotFit
        }
        return isAccepted(raw) ? .fits : .doesNotFit
    }

    /// Finds the fields of the record that begins at `index`, and sets `index` to its end.
    private mutating func split(
        _ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int, isAtEnd: Bool
    ) -> Finding {
        parts.removeAll(keepingCapacity: true)
        while true {
            let opening = options.skipsSpaces ? afterSpaces(raw, index) : index
            var part = Part(start: index, end: index, isQuoted: opening < raw.count && raw[opening] == options.quote)
            if part.isQuoted {
                index = opening
                part.start = index + 1
                guard let end = closingQuote(raw, &index, isAtEnd: isAtEnd) else {
                    return isAtEnd ? .doesNotFit : .needsMore
                }
                part.end = end
                if options.skipsSpaces { index = afterSpaces(raw, index) }
            } else {
                while index < raw.count, raw[index] != options.delimiter, !isLineEnd(raw[index]) {
                    if raw[index] == options.quote { return .doesNotFit }
                    // An escaped byte ends nothing.
                    index += raw[index] == options.escape && index + 1 < raw.count ? 2 : 1
                }
                part.end = index
            }
            guard index < raw.count || isAtEnd else { return .needsMore }
            parts.append(part)
            if index >= raw.count || isLineEnd(raw[index]) { return .fits }
            guard raw[index] == options.delimiter, parts.count < (width ?? options.maximumFields) else {
                return .doesNotFit
            }
            index += 1
        }
    }

    private func afterSpaces(_ raw: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < raw.count, raw[index] == 0x20 || raw[index] == 0x09 { index += 1 }
        return index
    }

    /// The offset of the next quote without an escape; nil if there is none.
    private func nextQuote(_ raw: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let escape = options.escape else {
            // The start is inside the buffer, whose rest is searched.
            guard let base = raw.baseAddress, let found = memchr(base + start, Int32(options.quote), raw.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
        var index = start
        while index < raw.count, raw[index] != options.quote { index += raw[index] == escape ? 2 : 1 }
        return index < raw.count ? index : nil
    }

    /// The offset of the quote that closes the quote at `index`, and sets `index` after it; nil if none was found.
    private func closingQuote(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int, isAtEnd: Bool) -> Int? {
        index += 1
        while index < raw.count {
            guard let quote = nextQuote(raw, from: index) else { break }
            index = quote + 1
            // A doubled quote belongs to the text.
            guard index < raw.count else { return isAtEnd ? quote : nil }
            guard raw[index] == options.quote else { return quote }
            index += 1
        }
        index = raw.count
        return nil
    }

    private mutating func isAccepted(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let judge, width != nil else { return true }
        var rejected = 0
        var accepted = 0
        for (column, part) in parts.enumerated() {
            decode(UnsafeBufferPointer(rebasing: raw[part.start..<part.end]), isQuoted: part.isQuoted)
            let field = Record.Field(
                kind: part.isQuoted ? .quoted : .text, column: Int32(truncatingIfNeeded: column), start: 0,
                end: Int32(truncatingIfNeeded: decoded.count), rawStart: 0)
            if !decoded.withUnsafeBufferPointer({ judge.accepts(field, $0, column: column) }) {
                rejected += 1
            } else if !decoded.isEmpty, judge.canReject(column: column) {
                accepted += 1
            }
            if rejected > 1 { return false }
        }
        return rejected == 0 || accepted > rejected
    }

    private mutating func decode(_ text: UnsafeBufferPointer<UInt8>, isQuoted: Bool) {
        decoded.removeAll(keepingCapacity: true)
        if let escape = options.escape {
            return decoded.append(text, unescaping: escape, in: options, isQuoted: isQuoted)
        }
        guard isQuoted, text.contains(options.quote) else { return decoded.append(contentsOf: text) }
        decoded.append(text, undoubling: options.quote)
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
