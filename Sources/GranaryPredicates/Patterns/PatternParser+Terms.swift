/// Quantifiers, escapes and sets.
extension PatternParser {
    /// Parses a quantifier's bounds; nil if there is no quantifier. Laziness has no effect on a match of the whole
    /// text.
    mutating func parseQuantifier() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
        let bounds: (minimum: Int, maximum: Int?)
        switch peek() {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{": bounds = try parseInterval()
        default: return nil
        }
        position += 1
        if peek() == "+" { throw failure("a possessive quantifier") }
        if peek() == "?" { position += 1 }
        if let after = peek(), "*+?{".unicodeScalars.contains(after) {
            throw failure("a second quantifier for the same term")
        }
        return bounds
    }

    /// Parses `{m}`, `{m,}` and `{m,n}` up to the closing brace.
    private mutating func parseInterval() throws(PatternError) -> (minimum: Int, maximum: Int?) {
        let opening = position
        position += 1
        guard let minimum = parseNumber() else { throw failure("a number is missing", at: position) }
        var maximum: Int? = minimum
        if peek() == "," {
            position += 1
            maximum = parseNumber()
        }
        guard peek() == "}" else { throw failure("\"{\" is not closed", at: opening) }
        if let maximum, maximum < minimum {
            throw failure("the upper bound is less than the lower one", at: opening)
        }
        return (minimum, maximum)
    }

    /// Parses decimal digits. Numbers are capped at a billion, which exceeds the maximum program size.
    private mutating func parseNumber() -> Int? {
        var number: Int?
        while let scalar = peek(), isASCIIDigit(scalar) {
            number = min((number ?? 0) * 10 + Int(scalar.value - 48), 1_000_000_000)
            position += 1
        }
        return number
    }

    func literal(_ scalar: Unicode.Scalar) throws(PatternError) -> CodePointSet {
        guard ignoresCase else { return CodePointSet(scalar) }
        // ICU's case folding is not limited to single letters ("ß" is "ss"), and the Kelvin sign is a "k".
        guard scalar.isASCII else { throw failure("a letter beyond ASCII without regard to case") }
        return CodePointSet(scalar).closedOverASCIICase
    }

    /// The set of `\d`, `\D`, `\w`, `\W`, `\s` or `\S` after a backslash.
    mutating func escapedClass() -> CodePointSet? {
        let set: CodePointSet
        switch peek() {
        case "d": set = .digits
        case "D": set = CodePointSet.digits.complement
        case "w": set = .word
        case "W": set = CodePointSet.word.complement
        case "s": set = .space
        case "S": set = CodePointSet.space.complement
        default: return nil
        }
        if peek() != "s" && peek() != "S" { decidesBeyondASCII = false }
        position += 1
        return set
    }

    /// Parses the scalar of an escape after its backslash.
    mutating func escapedScalar() throws(PatternError) -> Unicode.Scalar {
        let start = position - 1
        guard let scalar = next() else { throw failure("a backslash at the end", at: start) }
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f": return "\u{0C}"
        case "a": return "\u{07}"
        case "e": return "\u{1B}"
        case "u": return try hexadecimal(digits: 4...4, from: start)
        case "U": return try hexadecimal(digits: 8...8, from: start)
        case "x":
            guard peek() == "{" else { return try hexadecimal(digits: 1...2, from: start) }
            position += 1
            let result = try hexadecimal(digits: 1...8, from: start)
            guard next() == "}" else { throw failure("\"\\x{\" is not closed", at: start) }
            return result
        case _ where isASCIILetter(scalar) || isASCIIDigit(scalar) || !scalar.isASCII:
            throw failure("the escape \"\\\(scalar)\"", at: start)
        default: return scalar
        }
    }

    private mutating func hexadecimal(
        digits: ClosedRange<Int>, from start: Int
    ) throws(PatternError) -> Unicode.Scalar {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let scalar = peek(), scalar.isASCII,
            let digit = Character(scalar).hexDigitValue
        {
            value = value << 4 | UInt32(digit)  // at most eight digits
            count += 1
            position += 1
        }
        guard digits.contains(count), let scalar = Unicode.Scalar(value) else {
            throw failure("not the number of a character", at: start)
        }
        return scalar
    }

    /// Parses a set after its opening bracket: scalars, ranges and escapes. Nested sets, `&&`, `--` and `[:` are not
    /// supported.
    mutating func parseSet() throws(PatternError) -> CodePointSet {
        let opening = position - 1
        if peek() == ":" { throw failure("a POSIX set") }
        let isNegated = takes("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while true {
            guard let scalar = next() else { throw failure("\"[\" is not closed", at: opening) }
            if scalar == "]", !isFirst { break }
            isFirst = false
            if scalar == "\\", let set = escapedClass() {
                ranges += set.ranges
                if peek() == "-", !isLastDash() { throw failure("a dash after a set") }
                continue
            }
            let lower = try setScalar(scalar)
            guard peek() == "-", !isLastDash() else {
                ranges.append(lower...lower)
                continue
            }
            position += 1
            guard let end = next() else { throw failure("\"[\" is not closed", at: opening) }
            if end == "-" { throw failure("two dashes", at: position - 1) }
            let place = position - 1
            let upper = try setScalar(end)
            guard lower <= upper else { throw failure("the range ends before it starts", at: place) }
            ranges.append(lower...upper)
            if peek() == "-", !isLastDash() { throw failure("a dash after a range") }
        }
        let set = CodePointSet(ranges)
        let closed = ignoresCase ? set.closedOverASCIICase : set
        return isNegated ? closed.complement : closed
    }

    private func isLastDash() -> Bool {
        position + 1 < scalars.count && scalars[position + 1] == "]"
    }

    private mutating func setScalar(_ scalar: Unicode.Scalar) throws(PatternError) -> UInt32 {
        var value = scalar
        switch scalar {
        case "[": throw failure("a set in a set", at: position - 1)
        case "&" where peek() == "&": throw failure("an intersection of sets", at: position - 1)
        case "\\": value = try escapedScalar()
        default: break
        }
        if ignoresCase, !value.isASCII { throw failure("a letter beyond ASCII without regard to case") }
        return value.value
    }
}
