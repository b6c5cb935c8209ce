/// An expression as instructions of a nondeterministic automaton (Thompson's construction).
///
/// Targets are relative, so a part of a program is an array that can be appended and repeated unchanged.
struct PatternProgram: Sendable {
    typealias Part = [Instruction]

    enum Instruction: Sendable {
        /// Matches one code point of a set.
        case take(set: Int)
        case split(Int, Int)
        case jump(Int)
        /// `^`, `\A`
        case textStart
        /// `\z`
        case textEnd
        /// `$` and `\Z`: also before a line end that ends the text.
        case lastLineEnd
        case accept
    }

    /// The maximum program size; larger expressions are left to ICU. 255 times a class of one instruction is 510.
    static let maximumInstructions = 20_000

    let instructions: Part
    let sets: [CodePointSet]
    /// False if a set is correct for ASCII only, so that texts with other code points are matched by ICU.
    let decidesBeyondASCII: Bool
}

extension PatternProgram {
    static func alternation(of parts: [Part]) -> Part {
        guard parts.count > 1 else { return parts.first ?? [] }
        var remaining = parts.reduce(0) { $0 + $1.count + 2 } - 2
        var result: Part = []
        for (index, part) in parts.enumerated() {
            if index < parts.count - 1 {
                result.append(.split(1, part.count + 2))
                result += part
                remaining -= part.count + 2
                result.append(.jump(remaining + 1))
            } else {
                result += part
            }
        }
        return result
    }

    /// `part` repeated from `minimum` to `maximum` times; nil if it would be too large.
    static func repetition(of part: Part, minimum: Int, maximum: Int?) -> Part? {
        if part.isEmpty || maximum == 0 { return [] }
        let copies = max(minimum, maximum ?? 1)
        let (size, overflow) = (part.count + 2).multipliedReportingOverflow(by: copies)
        guard !overflow, size <= maximumInstructions else { return nil }

        var result: Part = []
        for _ in 0..<minimum { result += part }
        guard let maximum else {
            if minimum > 0 {
                result.append(.split(-part.count, 1))
            } else {
                result.append(.split(1, part.count + 2))
                result += part
                result.append(.jump(-(part.count + 1)))
            }
            return result
        }
        for left in stride(from: maximum - minimum, to: 0, by: -1) {
            result.append(.split(1, left * (part.count + 1)))
            result += part
        }
        return result
    }

    /// Whether a code point can follow a `$` or `\Z`. It could be the line end that they precede, which requires
    /// look-ahead.
    var takesAfterLastLineEnd: Bool {
        var seen = [Bool](repeating: false, count: instructions.count)
        var pending: [Int] = []
        for (place, instruction) in instructions.enumerated() {
            if case .lastLineEnd = instruction { pending.append(place + 1) }
        }
        while let place = pending.popLast() {
            if seen[place] { continue }
            seen[place] = true
            switch instructions[place] {
            case .take: return true
            case .split(let first, let second): pending += [place + first, place + second]
            case .jump(let distance): pending.append(place + distance)
            case .textStart, .textEnd, .lastLineEnd: pending.append(place + 1)
            case .accept: break
            }
        }
        return false
    }
}
