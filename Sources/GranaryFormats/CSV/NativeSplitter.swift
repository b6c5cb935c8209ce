import Foundation
import GranaryBase

/// Splits byte by byte, with the same states as libcsv. It reads irregular records and the ends of chunks; ``CSVIndex``
/// finds regular records faster.
///
/// Beyond libcsv it reads escapes, and spaces around quoted fields.
final class NativeSplitter: RecordSplitter {
    private enum State {
        case recordStart, fieldStart, inField
        /// After spaces at the start of a field, which a quote may follow.
        case leadingSpaces
        /// After an escape.
        case escaped
        /// After an escaped CR, whose LF is escaped too.
        case escapedReturn
        /// After a quote inside a quoted field, which closes the field or is doubled.
        case behindQuote
        /// After spaces behind the closing quote.
        case trailingSpaces
    }

    private let options: CSVReader.Options
    private let delimiter: UInt8
    private let quote: UInt8
    private var state = State.recordStart
    private(set) var isQuoted = false
    /// The number of doubled quotes and escapes in the current field.
    private var removedBytes = 0
    private var hasEscapes = false
    /// The numbers of spaces before the opening quote and behind the closing one.
    private var leading = 0
    private var trailing = 0
    private var decoded: [UInt8] = []

    init(_ options: CSVReader.Options) {
        self.options = options
        delimiter = options.delimiter
        quote = options.quote
    }

    var isAtRecordStart: Bool { if case .recordStart = state { true } else { false } }

    func split(
        _ batch: UnsafeMutablePointer<CSVBatch>, _ range: Range<Int>, pausingBehind place: Int
    ) -> SplitOutcome {
        let raw = batch.pointee.raw
        var index = range.lowerBound
        let end = range.upperBound
        while index < end, !batch.pointee.isStopped {
            let byte = raw[index]
            switch state {
            case .recordStart where index > place && !batch.pointee.isAfterCR: return .taken(to: index)
            case .recordStart, .fieldStart:
                startField()
                if byte == 0x0A || byte == 0x0D {
                    if case .fieldStart = state { batch.pointee.endField(nil, count: 0) }
                    endRecord(byte, batch)
                } else if byte == delimiter {
                    batch.pointee.endField(nil, count: 0)
                    state = .fieldStart
                } else if options.skipsSpaces, isSpace(byte) {
                    leading = 1
                    state = .leadingSpaces
                } else {
                    isQuoted = byte == quote
                    state = byte == options.escape ? .escaped : .inField
                }
                index += 1
            case .leadingSpaces:
                isQuoted = byte == quote
                if isQuoted {
                    state = .inField
                    index += 1
                } else if isSpace(byte) {
                    leading += 1
                    index += 1
                } else {
                    // The spaces are part of an unquoted field.
                    leading = 0
                    state = .inField
                }
            case .escaped:
                if options.needsEscape(byte) {
                    hasEscapes = true
                    removedBytes += 1
                }
                state = byte == 0x0D ? .escapedReturn : .inField
                index += 1
            case .escapedReturn:
                state = .inField
                if byte == 0x0A { index += 1 }
            case .inField where isQuoted:
                index = quotedEnd(raw, index, end)
                guard index < end else { return .taken(to: end) }
                state = raw[index] == quote ? .behindQuote : .escaped
                index += 1
            case .inField:
                index = bareEnd(raw, index, end)
                guard index < end else { return .taken(to: end) }
                if raw[index] == options.escape {
                    state = .escaped
                } else {
                    guard raw[index] != quote else {
                        reset()
                        return .broken(at: index)
                    }
                    endField(at: index, batch)
                    endAfter(raw[index], batch)
                }
                index += 1
            case .behindQuote, .trailingSpaces:
                if byte == quote, case .behindQuote = state {
                    removedBytes += 1
                    state = .inField
                } else if byte == delimiter || byte == 0x0A || byte == 0x0D {
                    endField(at: index, batch)
                    endAfter(byte, batch)
                } else if options.skipsSpaces, isSpace(byte) {
                    trailing += 1
                    state = .trailingSpaces
                } else {
                    reset()
                    return .broken(at: index)
                }
                index += 1
            }
        }
        return .taken(to: end)
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The offset of the first byte that can end a quoted field or is an escape.
    private func quotedEnd(_ raw: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        guard let escape = options.escape else {
            // `start` and `end` are inside the buffer.
            guard let found = memchr(raw + start, Int32(quote), end - start) else { return end }
            return UnsafeRawPointer(found) - UnsafeRawPointer(raw)
        }
        var index = start
        while index < end, raw[index] != quote, raw[index] != escape { index += 1 }
        return index
    }

    /// The offset of the first byte that can end a bare field or is an escape.
    private func bareEnd(_ raw: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        // A quote stands for no escape: it ends the search as well.
        let escape = options.escape ?? quote
        var index = start
        while index < end {
            let byte = raw[index]
            if byte == delimiter || byte == quote || byte == 0x0A || byte == 0x0D || byte == escape { break }
            index += 1
        }
        return index
    }

    private func endAfter(_ byte: UInt8, _ batch: UnsafeMutablePointer<CSVBatch>) {
        if byte == delimiter { state = .fieldStart } else { endRecord(byte, batch) }
    }

    private func endRecord(_ byte: UInt8, _ batch: UnsafeMutablePointer<CSVBatch>) {
        batch.pointee.endRow(Int32(byte))
        state = .recordStart
    }

    /// Ends the current field before `end`.
    private func endField(at end: Int, _ batch: UnsafeMutablePointer<CSVBatch>) {
        let start = batch.pointee.openFieldStart
        let raw = batch.pointee.raw
        // Between the quotes.
        let (first, last) = isQuoted ? (start + leading + 1, end - trailing - 1) : (start, end)
        let text = UnsafeBufferPointer(start: raw + first, count: last - first)
        guard removedBytes > 0 || leading > 0 || trailing > 0 else {
            return batch.pointee.endField(text.baseAddress, count: text.count)
        }
        decoded.removeAll(keepingCapacity: true)
        if hasEscapes, let escape = options.escape {
            decoded.append(text, unescaping: escape, in: options, isQuoted: isQuoted)
        } else {
            decoded.append(text, undoubling: quote)
        }
        decoded.withUnsafeBytes {
            batch.pointee.endField(
                $0.baseAddress, count: $0.count, from: start, isQuoted: isQuoted, rawCount: end - start)
        }
    }

    func finish(_ batch: UnsafeMutablePointer<CSVBatch>) -> Bool {
        switch state {
        case .recordStart: break
        case .inField, .escaped, .escapedReturn:
            if isQuoted { return false }
            fallthrough
        case .fieldStart, .leadingSpaces, .behindQuote, .trailingSpaces:
            if case .fieldStart = state {
                batch.pointee.endField(nil, count: 0)
            } else {
                if case .leadingSpaces = state { leading = 0 }
                endField(at: batch.pointee.rawCount, batch)
            }
            batch.pointee.endRow(-1)
        }
        reset()
        return true
    }

    func reset() {
        state = .recordStart
        startField()
    }

    private func startField() {
        isQuoted = false
        removedBytes = 0
        hasEscapes = false
        leading = 0
        trailing = 0
    }

    func openFieldBytes(_ batch: UnsafeMutablePointer<CSVBatch>, to end: Int) -> Int {
        switch state {
        case .recordStart, .fieldStart: return 0
        default:
            let count = end - batch.pointee.openFieldStart
            return isQuoted ? count - 1 - leading - removedBytes : count - removedBytes
        }
    }
}
