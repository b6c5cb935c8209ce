/// Converts a program to an automaton: each state is a set of positions in the program.
struct PatternAutomatonBuilder {
    private let program: PatternProgram
    private let classes: CodePointClasses
    private var numbers: [[Int]: Int] = [:]
    private var states: [[Int]] = [[]]
    private var accepts = [false]
    private var work = 0
    /// The round in which each position was last visited, so that the marks need no clearing.
    private var marks: [Int]
    private var round = 0

    /// The automaton; nil if it would exceed the limits of ``PatternAutomaton``.
    static func automaton(of program: PatternProgram) -> PatternAutomaton? {
        guard let classes = CodePointClasses(program.sets) else { return nil }
        var builder = PatternAutomatonBuilder(program, classes)
        return builder.build()
    }

    private init(_ program: PatternProgram, _ classes: CodePointClasses) {
        self.program = program
        self.classes = classes
        marks = [Int](repeating: 0, count: program.instructions.count)
    }

    private mutating func build() -> PatternAutomaton? {
        // State 0 is the dead state. State 1 is the text's start; no transition returns to it, because `^` matches only
        // there.
        numbers[[]] = 0
        let start = closure(of: [0], atStart: true)
        states.append(start)
        accepts.append(isAccepting(start, atStart: true))
        var table = [UInt32](repeating: 0, count: classes.count)
        var next = 1
        while next < states.count {
            var targets = [[Int]](repeating: [], count: classes.count)
            for place in states[next] {
                guard case .take(let set) = program.instructions[place] else { continue }
                for number in classes.classesOfSets[set] { targets[number].append(place + 1) }
                work += classes.classesOfSets[set].count
            }
            for target in targets { table.append(UInt32(state(for: target) * classes.count)) }
            next += 1
            guard work <= PatternAutomaton.maximumWork, states.count <= PatternAutomaton.maximumStates,
                states.count * classes.count <= PatternAutomaton.maximumEntries
            else { return nil }
        }
        return PatternAutomaton(
            classes: classes, table: table, accepts: accepts, initialRow: classes.count,
            decidesBeyondASCII: program.decidesBeyondASCII)
    }

    private mutating func state(for places: [Int]) -> Int {
        if places.isEmpty { return 0 }
        let places = closure(of: places, atStart: false)
        if let number = numbers[places] { return number }
        numbers[places] = states.count
        states.append(places)
        accepts.append(isAccepting(places, atStart: false))
        return states.count - 1
    }

    /// The positions where the program waits for a code point or the text's end, or accepts.
    private mutating func closure(of places: [Int], atStart: Bool, atEnd: Bool = false) -> [Int] {
        round += 1
        var result: [Int] = []
        var pending = places
        while let place = pending.popLast() {
            guard marks[place] != round else { continue }
            marks[place] = round
            work += 1
            switch program.instructions[place] {
            case .take, .accept: result.append(place)
            case .split(let first, let second): pending += [place + first, place + second]
            case .jump(let distance): pending.append(place + distance)
            case .textStart: if atStart { pending.append(place + 1) }
            case .textEnd, .lastLineEnd:
                if atEnd { pending.append(place + 1) } else { result.append(place) }
            }
        }
        return result.sorted()
    }

    private mutating func isAccepting(_ places: [Int], atStart: Bool) -> Bool {
        closure(of: places, atStart: atStart, atEnd: true).contains { place in
            if case .accept = program.instructions[place] { return true }
            return false
        }
    }
}
