/// Parses the subset of ICU's expression syntax that a finite automaton can match.
///
/// Grammar: https://unicode-org.github.io/icu/userguide/strings/regexp.html. Parsing throws for features that are left
/// to ICU: look-around, back references, possessive and atomic groups, `\b`, `\p`, nested sets, flags other than a
/// leading `(?i)`. ICU decides whether an expression is valid, so an error thrown here is shown only if ICU refuses the
/// expression.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    var ignoresCase: Bool
    /// False after features that are supported for ASCII only: `\d`, `\w` and case-insensitivity.
    var decidesBeyondASCII = true

    private var frames: [Frame] = []
    private var frame = Frame(opening: 0)
    /// The number of instructions of all groups and alternatives so far.
    private var size = 0
    private var sets: [CodePointSet] = []
    private var setNumbers: [CodePointSet: Int] = [:]

    /// An open group: its finished alternatives and the current one.
    private struct Frame {
        var opening: Int
        var alternatives: [PatternProgram.Part] = []
        var sequence: PatternProgram.Part = []

        var part: PatternProgram.Part { PatternProgram.alternation(of: alternatives + [sequence]) }
    }

    init(_ source: String, ignoringCase: Bool) {
        scalars = Array(source.unicodeScalars)
        ignoresCase = ignoringCase
    }

    mutating func parse() throws(PatternError) -> PatternProgram {
        if takes("(?i)") { ignoresCase = true }
        if ignoresCase { decidesBeyondASCII = false }
        while let scalar = next() { try parse(scalar) }
        if !frames.isEmpty { throw failure("\"(\" is not closed", at: frame.opening) }
        let program = PatternProgram(
            instructions: frame.part + [.accept], sets: sets, decidesBeyondASCII: decidesBeyondASCII)
        if program.takesAfterLastLineEnd { throw failure("\"$\" or \"\\Z\" in front of more") }
        return program
    }

    private mutating func parse(_ scalar: Unicode.Scalar) throws(PatternError) {
        switch scalar {
        case "(": try openGroup()
        case ")": try closeGroup()
        case "|":
            frame.alternatives.append(frame.sequence)
            frame.sequence = []
        case "^": frame.sequence.append(.textStart)
        case "$": frame.sequence.append(.lastLineEnd)
        case ".": try append(set: CodePointSet.lineEnds.complement)
        case "[": try append(set: parseSet())
        case "\\": try parseEscape()
        case "*", "+", "?":
            throw failure("nothing stands before \"\(scalar)\" that could be repeated", at: position - 1)
        case "{", "}": throw failure("\"\(scalar)\" must be written as \"\\\(scalar)\" here", at: position - 1)
        default: try append(set: literal(scalar))
        }
    }

    private mutating func parseEscape() throws(PatternError) {
        switch peek() {
        case "A": frame.sequence.append(.textStart)
        case "z": frame.sequence.append(.textEnd)
        case "Z": frame.sequence.append(.lastLineEnd)
        default:
            if let set = escapedClass() {
                try append(set: set)
            } else {
                try append(set: literal(escapedScalar()))
            }
            return
        }
        position += 1
    }

    private mutating func openGroup() throws(PatternError) {
        let opening = position - 1
        if takes("?<") {
            let name = position
            while let scalar = peek(), isASCIILetter(scalar) || (position > name && isASCIIDigit(scalar)) {
                position += 1
            }
            guard position > name, takes(">") else {
                throw failure("a look-behind, or a group name that is not closed")
            }
        } else if !takes("?:"), peek() == "?" {
            throw failure("this kind of group")
        }
        frames.append(frame)
        frame = Frame(opening: opening)
    }

    private mutating func closeGroup() throws(PatternError) {
        guard let outer = frames.popLast() else { throw failure("\")\" closes nothing", at: position - 1) }
        let part = frame.part
        frame = outer
        try append(part, isCounted: true)
    }

    private mutating func append(set: CodePointSet) throws(PatternError) {
        let number = setNumbers[set] ?? sets.count
        if number == sets.count {
            sets.append(set)
            setNumbers[set] = number
        }
        try append([.take(set: number)])
    }

    /// Adds one term with its quantifier. The instructions of a group are already counted.
    private mutating func append(
        _ part: PatternProgram.Part, isCounted: Bool = false
    ) throws(PatternError) {
        var repeated = part
        if let (minimum, maximum) = try parseQuantifier() {
            guard let result = PatternProgram.repetition(of: part, minimum: minimum, maximum: maximum) else {
                throw failure("too many repetitions")
            }
            repeated = result
        }
        size += repeated.count - (isCounted ? part.count : 0)
        guard size <= PatternProgram.maximumInstructions else { throw failure("the expression is too large") }
        frame.sequence += repeated
    }
}

extension PatternParser {
    func peek() -> Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        position += 1
        return scalar
    }

    /// Skips `text` if it is next.
    mutating func takes(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    /// The error at a scalar, by default the current one.
    func failure(_ reason: String, at place: Int? = nil) -> PatternError {
        let before = scalars.prefix(place ?? position)
        return PatternError(offset: before.reduce(0) { $0 + UTF8.width($1) }, reason: reason)
    }

    func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    func isASCIIDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }
}
