/// A set of Unicode code points: sorted, disjoint, closed ranges.
struct CodePointSet: Sendable, Hashable {
    static let last: UInt32 = 0x10FFFF

    let ranges: [ClosedRange<UInt32>]

    /// The union of ranges in any order.
    init(_ unordered: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let previous = merged.last, range.lowerBound <= previous.upperBound &+ 1 {
                let upper = max(previous.upperBound, range.upperBound)
                merged[merged.count - 1] = previous.lowerBound...upper
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    var complement: CodePointSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return CodePointSet(gaps)
    }

    /// The set extended by the other case of its ASCII letters.
    var closedOverASCIICase: CodePointSet {
        var all = ranges
        for (letters, distance) in [(UInt32(0x41)...0x5A, 32), (UInt32(0x61)...0x7A, -32)] {
            for range in ranges where range.overlaps(letters) {
                let part = range.clamped(to: letters)
                let lower = UInt32(Int(part.lowerBound) + distance)
                all.append(lower...UInt32(Int(part.upperBound) + distance))
            }
        }
        return CodePointSet(all)
    }
}

extension CodePointSet {
    /// `\d` in ASCII. In ICU it is the general category Nd.
    static let digits = CodePointSet([0x30...0x39])
    /// `\w` in ASCII. In ICU it is Alphabetic, M, Nd, Pc, U+200C and U+200D.
    static let word = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`: the whole property White_Space, which is stable in practice (last changed in Unicode 6.3).
    static let space = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ])
    /// The characters that `.` does not match.
    static let lineEnds = CodePointSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])
}
