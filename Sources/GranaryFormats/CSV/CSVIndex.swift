import GranaryCBytes

/// Finds the ends of fields of regular records, 64 bytes at a time, with bit masks of quotes, delimiters and line ends.
/// It stops before the first irregular record, which ``NativeSplitter`` reads.
///
/// A record is regular if it has as many fields as there are columns, is quoted according to RFC 4180, ends with LF or
/// CR LF, and contains no NUL. The splitters find the same fields in it.
final class CSVIndex {
    let delimiter: UInt8
    let quote: UInt8
    let width: Int
    let allowsNUL: Bool

    private let memory: UnsafeMutablePointer<UInt32>
    /// A copy of the last, incomplete block, padded with spaces.
    private let tail = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
    private let capacity: Int
    /// The number of regular records.
    private(set) var recordCount = 0
    /// The offset after the LF of the last regular record.
    private(set) var end = 0
    /// Whether the next record is irregular. If false, the bytes end inside it.
    private(set) var isIrregular = false
    /// Whether any byte is not ASCII.
    private(set) var hasUpper = false
    /// Whether a field contains a line end.
    private(set) var hasLineEndInside = false
    /// Whether a quoted field contains a doubled quote.
    private(set) var hasDoubledQuotes = false

    deinit {
        memory.deallocate()
        tail.deallocate()
    }

    /// The offset of the delimiter or LF after each field of the regular records. Valid until the next ``run(_:)``.
    var ends: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: memory, count: recordCount * width) }

    /// Keeps only the first records.
    ///
    /// - Parameter isIrregular: whether the next record is irregular.
    func cut(to count: Int, isIrregular: Bool = true) {
        guard count < recordCount else { return }
        recordCount = count
        end = count == 0 ? 0 : Int(ends[count * width - 1]) + 1
        self.isIrregular = isIrregular
    }

    /// Keeps only the records before the first one of delimiters alone.
    func cutBeforeBlankRow(_ bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for record in 0..<recordCount {
            // The end is in the indexed bytes. A shorter record cannot have this number of fields.
            let end = Int(ends[record &* width &+ width &- 1])
            if end &- start == width &- 1 || end &- start == width && bytes[end &- 1] == 0x0D {
                return cut(to: record)
            }
            start = end &+ 1
        }
    }

    /// - Parameter capacity: the maximum number of indexed bytes.
    init(delimiter: UInt8, quote: UInt8, width: Int, allowsNUL: Bool, capacity: Int) {
        self.capacity = capacity
        // At most one end for each byte.
        memory = .allocate(capacity: capacity)
        self.delimiter = delimiter
        self.quote = quote
        self.width = width
        self.allowsNUL = allowsNUL
    }

    /// Indexes bytes that begin with a record.
    func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        recordCount = 0
        end = 0
        isIrregular = false
        hasUpper = false
        hasLineEndInside = false
        hasDoubledQuotes = false
        guard let base = bytes.baseAddress else { return }
        let count = min(bytes.count, capacity)
        countRecords(base, scan(base, count))
    }

    /// Writes the field ends into memory, up to the first byte that makes a record irregular.
    ///
    /// - Returns: the number of field ends.
    private func scan(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int {
        // Local variables, because each access to a property of a class is checked.
        let (target, tail) = (memory, tail)
        var isIrregular = false
        var hasLineEndInside = false
        var doubled: UInt64 = 0
        let (quote, delimiter, allowsNUL) = (quote, delimiter, allowsNUL)
        var uppers: UInt64 = 0
        var found = 0
        // State at the end of the previous block: whether a quoted field is open, and whether the last byte ended a
        // field, was a closing quote, or was a CR outside quotes.
        var inQuote: UInt64 = 0
        var wasEnd: UInt64 = 1
        var wasClosing: UInt64 = 0
        var wasReturn: UInt64 = 0
        var offset = 0
        while offset < count, !isIrregular {
            var block = base + offset
            var valid: UInt64 = ~0
            let rest = count &- offset
            if rest < 64 {
                tail.update(repeating: 0x20, count: 64)
                tail.update(from: block, count: rest)
                block = UnsafePointer(tail)
                valid = (1 << UInt64(rest)) &- 1
            }
            let quoteBits = granary_matches(block, quote)
            let feedBits = granary_matches(block, 0x0A)
            let returnBits = granary_matches(block, 0x0D)
            // The parity of the quotes up to each byte: 1 from an opening quote to before the closing one.
            var quoted = quoteBits
            quoted ^= quoted << 1
            quoted ^= quoted << 2
            quoted ^= quoted << 4
            quoted ^= quoted << 8
            quoted ^= quoted << 16
            quoted ^= quoted << 32
            quoted ^= inQuote
            var endBits = (granary_matches(block, delimiter) | feedBits) & ~quoted
            let closing = quoteBits & ~quoted
            let bareReturns = returnBits & ~quoted
            let behindClosing = closing << 1 | wasClosing
            // An opening quote must begin a field, or be the second of two doubled quotes.
            var wrong = quoteBits & quoted & ~(endBits << 1 | wasEnd | behindClosing)
            // A closing quote must be followed by the end of the field, a CR, or the second of two doubled quotes.
            wrong |= behindClosing & ~(endBits | returnBits | quoteBits)
            // A CR outside quotes must be followed by an LF.
            wrong |= (bareReturns << 1 | wasReturn) & ~feedBits
            if !allowsNUL { wrong |= granary_matches(block, 0) }
            doubled |= behindClosing & quoteBits
            wrong &= valid
            endBits &= valid
            if (feedBits | returnBits) & quoted & valid != 0 { hasLineEndInside = true }
            let words = UnsafeRawPointer(block).loadUnaligned(as: SIMD8<UInt64>.self)
            for index in 0..<8 { uppers |= words[index] }
            inQuote = UInt64(bitPattern: Int64(bitPattern: quoted) >> 63)
            wasEnd = endBits >> 63
            wasClosing = closing >> 63
            wasReturn = bareReturns >> 63
            if wrong != 0 {
                isIrregular = true
                endBits &= (1 << UInt64(wrong.trailingZeroBitCount)) &- 1
            }
            while endBits != 0 {
                target[found] = UInt32(truncatingIfNeeded: offset &+ endBits.trailingZeroBitCount)
                found &+= 1
                endBits &= endBits &- 1
            }
            offset &+= 64
        }
        hasUpper = uppers & 0x8080_8080_8080_8080 != 0
        self.isIrregular = isIrregular
        self.hasLineEndInside = hasLineEndInside
        hasDoubledQuotes = doubled != 0
        return found
    }

    /// Counts the leading records that have the right number of fields.
    private func countRecords(_ base: UnsafePointer<UInt8>, _ found: Int) {
        let ends = memory
        let width = width
        var next = 0
        while next &+ width <= found {
            let last = Int(ends[next &+ width &- 1])
            var isRegular = base[last] == 0x0A
            for index in next..<next &+ width &- 1 where base[Int(ends[index])] == 0x0A { isRegular = false }
            // A blank line is irregular in a file with one column.
            if width == 1, last == end || last == end &+ 1 && base[end] == 0x0D { isRegular = false }
            guard isRegular else {
                isIrregular = true
                return
            }
            recordCount &+= 1
            end = last &+ 1
            next &+= width
        }
        // A record with too few fields.
        for index in next..<max(next, found) where base[Int(ends[index])] == 0x0A { isIrregular = true }
    }
}
