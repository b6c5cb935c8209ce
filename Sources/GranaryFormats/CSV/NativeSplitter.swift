import Foundation
import GranaryBase

/// Splits byte by byte, with the same states as libcsv. It reads irregular records and the ends of chunks; ``CSVIndex``
/// finds regular records faster.
final class NativeSplitter: RecordSplitter {
    private enum State {
        case recordStart, fieldStart, inField
        /// After a quote inside a quoted field, which closes the field or is doubled.
        case behindQuote
    }

    private let delimiter: UInt8
    private let quote: UInt8
    private var state = State.recordStart
    private(set) var isQuoted = false
    /// The number of doubled quotes in the current field.
    private var doubledQuotes = 0
    private var decoded: [UInt8] = []

    init(delimiter: UInt8, quote: UInt8) {
        self.delimiter = delimiter
        self.quote = quote
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
                isQuoted = byte == quote
                doubledQuotes = 0
                if byte == 0x0A || byte == 0x0D {
                    if case .fieldStart = state { batch.pointee.endField(nil, count: 0) }
                    endRecord(byte, batch)
                } else if byte == delimiter {
                    batch.pointee.endField(nil, count: 0)
                    state = .fieldStart
                } else {
                    state = .inField
                }
                index += 1
            case .inField where isQuoted:
                // `index` and `end` are inside the buffer.
                guard let found = memchr(raw + index, Int32(quote), end - index) else { return .taken(to: end) }
                index += found - UnsafeMutableRawPointer(raw + index) + 1
                state = .behindQuote
            case .inField:
                index = bareEnd(raw, index, end)
                guard index < end else { return .taken(to: end) }
                guard raw[index] != quote else {
                    reset()
                    return .broken(at: index)
                }
                endField(at: index, batch)
                endAfter(raw[index], batch)
                index += 1
            case .behindQuote:
                if byte == quote {
                    doubledQuotes += 1
                    state = .inField
                } else if byte == delimiter || byte == 0x0A || byte == 0x0D {
                    endField(at: index, batch)
                    endAfter(byte, batch)
                } else {
                    reset()
                    return .broken(at: index)
                }
                index += 1
            }
        }
        return .taken(to: end)
    }

    /// The offset of the first byte that can end a bare field.
    private func bareEnd(_ raw: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            let byte = raw[index]
            if byte == delimiter || byte == quote || byte == 0x0A || byte == 0x0D { break }
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
        guard isQuoted else { return batch.pointee.endField(raw + start, count: end - start) }
        // Between the quotes.
        let text = UnsafeBufferPointer(start: raw + start + 1, count: end - start - 2)
        guard doubledQuotes > 0 else {
            return batch.pointee.endField(raw + start + 1, count: text.count)
        }
        decoded.removeAll(keepingCapacity: true)
        decoded.append(text, undoubling: quote)
        decoded.withUnsafeBytes { batch.pointee.endField($0.baseAddress, count: $0.count) }
    }

    func finish(_ batch: UnsafeMutablePointer<CSVBatch>) -> Bool {
        switch state {
        case .recordStart: break
        case .inField where isQuoted: return false
        case .fieldStart, .inField, .behindQuote:
            if case .fieldStart = state {
                batch.pointee.endField(nil, count: 0)
            } else {
                endField(at: batch.pointee.rawCount, batch)
            }
            batch.pointee.endRow(-1)
        }
        reset()
        return true
    }

    func reset() {
        state = .recordStart
        isQuoted = false
        doubledQuotes = 0
    }

    func openFieldBytes(_ batch: UnsafeMutablePointer<CSVBatch>, to end: Int) -> Int {
        switch state {
        case .recordStart, .fieldStart: return 0
        case .inField, .behindQuote:
            let count = end - batch.pointee.openFieldStart
            return isQuoted ? count - 1 - doubledQuotes : count
        }
    }
}
