/// Enumerates texts that a regular expression matches as a whole. Different indexes give different texts.
///
/// The automaton of the expression is deterministic, so each text has one path. The number of paths from each state is
/// computed for each length, and an index is converted to a path by these numbers.
package struct PatternWords: Sendable {
    /// The maximum of ``count``; more texts are not counted.
    package static let countLimit: UInt64 = 1 << 62
    /// The maximum number of counted pairs of a state and a length.
    private static let tableLimit = 1 << 20
    /// The maximum number of steps to fill the table.
    private static let workLimit = 1 << 26
    /// The number of characters by which texts may be longer than the shortest one.
    private static let slack = 8
    /// The maximum number of characters of a class beyond ASCII.
    private static let upperLimit = 64

    private let automaton: PatternAutomaton
    /// The characters of each class.
    private let alphabets: [[Unicode.Scalar]]
    /// The number of texts of each length from each state.
    private let counts: [[UInt64]]
    private let shortest: Int
    /// The number of texts, at most ``countLimit``.
    package let count: UInt64

    /// - Parameters:
    ///   - lengths: the allowed lengths in UTF-16 units.
    ///   - isWide: whether all printable ASCII characters of a class are used. Otherwise letters and digits are used
    ///     where a class has them.
    /// - Returns: nil if the expression is not regular in the strict sense, or if it matches no text of these lengths
    ///   that consists of printable characters.
    package init?(_ pattern: Pattern, lengths: ClosedRange<Int>, isWide: Bool) {
        guard let automaton = pattern.automaton, automaton.classCount > 0 else { return nil }
        let alphabets = Self.alphabets(of: automaton, isWide: isWide)
        guard let least = Self.shortestLength(automaton, alphabets), least <= lengths.upperBound else { return nil }
        let states = automaton.accepts.count
        let lower = max(least, lengths.lowerBound)
        guard lower < Self.tableLimit else { return nil }
        var upper = min(lower + Self.slack, lengths.upperBound)
        var counts: [[UInt64]] = []
        var sum: UInt64 = 0
        while true {
            let (cells, isTooLarge) = states.multipliedReportingOverflow(by: upper + 1)
            guard !isTooLarge, cells <= Self.tableLimit, cells <= Self.workLimit / automaton.classCount else {
                return nil
            }
            Self.extend(&counts, through: upper, automaton, alphabets)
            sum = counts[lower...].reduce(0) { Self.sum($0, $1[Self.initialState]) }
            guard sum == 0, upper < lengths.upperBound else { break }
            upper = min(upper * 2 + 1, lengths.upperBound)
        }
        guard sum > 0 else { return nil }
        self.automaton = automaton
        self.alphabets = alphabets
        self.counts = counts
        shortest = lower
        count = sum
    }

    /// The number of the automaton's first state; state 0 is the dead state.
    private static let initialState = 1

    /// The text with an index below ``count``.
    package func word(at index: UInt64) -> String {
        var rest = min(index, count - 1)
        var length = shortest
        while length < counts.count - 1, rest >= counts[length][Self.initialState] {
            rest -= counts[length][Self.initialState]
            length += 1
        }
        var text = String.UnicodeScalarView()
        var state = Self.initialState
        while length > 0, let (scalar, next) = step(from: state, &rest, length, index) {
            text.append(scalar)
            state = next
            length -= 1
        }
        return String(text)
    }

    /// The next character of a text with `length` characters left, and the state after it.
    private func step(
        from state: Int, _ rest: inout UInt64, _ length: Int, _ index: UInt64
    ) -> (Unicode.Scalar, Int)? {
        if counts[length][state] == Self.countLimit, let step = freeStep(from: state, length, index) { return step }
        for number in alphabets.indices where !alphabets[number].isEmpty {
            let next = Self.next(automaton, state, number)
            let each = counts[length - 1][next]
            guard each > 0 else { continue }
            let all = Self.product(each, UInt64(alphabets[number].count))
            if rest < all {
                let place = Int(rest / each)
                rest %= each
                return (alphabets[number][min(place, alphabets[number].count - 1)], next)
            }
            rest -= all
        }
        return nil
    }

    /// A character after which every index still has a text of its own. The choice depends on the index, so that long
    /// texts do not all begin with the same character.
    private func freeStep(from state: Int, _ length: Int, _ index: UInt64) -> (Unicode.Scalar, Int)? {
        let free = alphabets.indices.filter {
            !alphabets[$0].isEmpty && counts[length - 1][Self.next(automaton, state, $0)] == Self.countLimit
        }
        guard !free.isEmpty else { return nil }
        let total = free.reduce(0) { $0 + alphabets[$1].count }
        var number = (index &+ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 29) &* 0xBF58_476D_1CE4_E5B9
        var place = Int((number ^ number >> 32) % UInt64(total))
        for choice in free {
            if place < alphabets[choice].count {
                return (alphabets[choice][place], Self.next(automaton, state, choice))
            }
            place -= alphabets[choice].count
        }
        return nil
    }
}

extension PatternWords {
    private static func next(_ automaton: PatternAutomaton, _ state: Int, _ number: Int) -> Int {
        Int(automaton.table[state * automaton.classCount + number]) / automaton.classCount
    }

    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (result, overflow) = left.addingReportingOverflow(right)
        return overflow ? countLimit : min(result, countLimit)
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (result, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? countLimit : min(result, countLimit)
    }

    /// Adds the counts of longer texts.
    private static func extend(
        _ counts: inout [[UInt64]], through length: Int, _ automaton: PatternAutomaton,
        _ alphabets: [[Unicode.Scalar]]
    ) {
        if counts.isEmpty { counts.append(automaton.accepts.map { $0 ? 1 : 0 }) }
        while counts.count <= length {
            let shorter = counts[counts.count - 1]
            var longer = [UInt64](repeating: 0, count: shorter.count)
            for state in shorter.indices {
                for number in alphabets.indices where !alphabets[number].isEmpty {
                    let each = shorter[next(automaton, state, number)]
                    longer[state] = sum(longer[state], product(each, UInt64(alphabets[number].count)))
                }
            }
            counts.append(longer)
        }
    }

    /// The length of the shortest text, by breadth-first search; nil if there is none.
    private static func shortestLength(_ automaton: PatternAutomaton, _ alphabets: [[Unicode.Scalar]]) -> Int? {
        guard automaton.accepts.indices.contains(initialState) else { return nil }
        var seen = [Bool](repeating: false, count: automaton.accepts.count)
        seen[initialState] = true
        var front = [initialState]
        var length = 0
        while !front.isEmpty {
            if front.contains(where: { automaton.accepts[$0] }) { return length }
            var following: [Int] = []
            for state in front {
                for number in alphabets.indices where !alphabets[number].isEmpty {
                    let target = next(automaton, state, number)
                    guard target != 0, !seen[target] else { continue }
                    seen[target] = true
                    following.append(target)
                }
            }
            front = following
            length += 1
        }
        return nil
    }

    private static func alphabets(of automaton: PatternAutomaton, isWide: Bool) -> [[Unicode.Scalar]] {
        var alphabets = [[Unicode.Scalar]](repeating: [], count: automaton.classCount)
        for byte in UInt8(0x20)...0x7E {
            alphabets[Int(automaton.asciiClasses[Int(byte)])].append(Unicode.Scalar(byte))
        }
        if !isWide { alphabets = alphabets.map(natural) }
        guard automaton.decidesBeyondASCII else { return alphabets }
        for (place, start) in automaton.upperStarts.enumerated() {
            let number = Int(automaton.upperClasses[place])
            // Characters beyond ASCII are used only where a class has no others.
            guard alphabets[number].allSatisfy({ !$0.isASCII }) else { continue }
            let end = place + 1 < automaton.upperStarts.count ? automaton.upperStarts[place + 1] : 0xD800
            var value = max(start, 0xA1)
            // Below the surrogates each code point is one UTF-16 unit.
            while value < min(end, 0xD800), alphabets[number].count < upperLimit {
                if let scalar = Unicode.Scalar(value) { alphabets[number].append(scalar) }
                value += 1
            }
        }
        return alphabets
    }

    /// The lower-case letters and digits of a class, or else its upper-case letters and digits, or else all.
    private static func natural(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        let lower = scalars.filter { ("a"..."z").contains($0) }
        if !lower.isEmpty { return lower + scalars.filter(isDigit) }
        let others = scalars.filter { ("A"..."Z").contains($0) || isDigit($0) }
        return others.isEmpty ? scalars : others
    }
}
