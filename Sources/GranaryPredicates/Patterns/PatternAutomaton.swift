/// A deterministic automaton: one table look-up per code point for any expression.
///
/// It is immutable, so any number of threads can run it.
final class PatternAutomaton: Sendable {
    enum Verdict: Sendable {
        case match, noMatch
        /// The text has non-ASCII code points that the sets do not cover, or is not UTF-8.
        case undecided
    }

    /// Limits for building; ICU matches expressions that exceed them.
    static let maximumStates = 2_000
    static let maximumEntries = 1 << 18
    static let maximumWork = 1_000_000

    /// The class of each ASCII code point; code points of a class are in the same sets.
    let asciiClasses: [UInt16]
    /// The classes beyond ASCII: the start of each run of code points, and its class.
    let upperStarts: [UInt32]
    let upperClasses: [UInt16]
    let classCount: Int
    /// A row for each state: the offset of the next state's row for each class. Row 0 is the dead state.
    let table: [UInt32]
    let accepts: [Bool]
    let initialRow: Int
    let decidesBeyondASCII: Bool

    init(
        classes: CodePointClasses, table: [UInt32], accepts: [Bool], initialRow: Int, decidesBeyondASCII: Bool
    ) {
        asciiClasses = classes.ascii
        upperStarts = classes.upperStarts
        upperClasses = classes.upperClasses
        classCount = classes.count
        self.table = table
        self.accepts = accepts
        self.initialRow = initialRow
        self.decidesBeyondASCII = decidesBeyondASCII
    }

    func run(_ utf8: UnsafeBufferPointer<UInt8>) -> Verdict {
        var row = initialRow
        var index = 0
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x80 {
                row = Int(table[row + Int(asciiClasses[Int(byte)])])
                index += 1
            } else {
                guard decidesBeyondASCII, let (codePoint, length) = decode(utf8, at: index) else { return .undecided }
                row = Int(table[row + upperClass(of: codePoint)])
                index += length
            }
            if row == 0 { return .noMatch }
        }
        return accepts[row / classCount] ? .match : .noMatch
    }

    private func upperClass(of codePoint: UInt32) -> Int {
        var low = 0
        var high = upperStarts.count
        while low + 1 < high {
            let middle = (low + high) / 2
            if upperStarts[middle] <= codePoint { low = middle } else { high = middle }
        }
        return Int(upperClasses[low])
    }

    /// The code point of a multi-byte sequence; nil if it is malformed (RFC 3629).
    private func decode(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> (codePoint: UInt32, length: Int)? {
        let lead = utf8[index]
        let length: Int
        var value: UInt32
        let least: UInt32
        switch lead {
        case 0xC2...0xDF: (length, value, least) = (2, UInt32(lead & 0x1F), 0x80)
        case 0xE0...0xEF: (length, value, least) = (3, UInt32(lead & 0x0F), 0x800)
        case 0xF0...0xF4: (length, value, least) = (4, UInt32(lead & 0x07), 0x1_0000)
        default: return nil
        }
        guard utf8.count - index >= length else { return nil }
        for place in (index + 1)..<(index + length) {
            guard utf8[place] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(utf8[place] & 0x3F)
        }
        guard value >= least, value <= CodePointSet.last, !(0xD800...0xDFFF).contains(value) else { return nil }
        return (value, length)
    }
}
