/// A function of the format language that can be evaluated, by its Objective-C name.
package enum PredicateFunction: String, Sendable, CaseIterable {
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case power = "raise:toPower:"
    case absolute = "abs:"
    case squareRoot = "sqrt:"
    case naturalLogarithm = "ln:"
    /// To the base of 10.
    case logarithm = "log:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case truncate = "trunc:"
    /// A double from 0 to below 1.
    case random
    /// An integer from 0 to below the argument.
    case randomBelow = "random:"
    case now
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case complement = "onesComplement:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case length = "length:"
    /// The text folded as by `[cd]`.
    case canonical = "canonical:"
    /// The argument itself.
    case noIndex = "noindex:"
    case count = "count:"
    case sum = "sum:"
    case average = "average:"
    case minimum = "min:"
    case maximum = "max:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case element = "objectFrom:withIndex:"
    case cast = "castObject:toType:"

    /// What a function gives.
    package enum ResultKind: Sendable, Hashable {
        case number, text, date
        /// A number, or a date if an argument is a date.
        case numberOrDate
        /// The same as the first argument.
        case argument
        /// The same as the elements of the first argument.
        case element
        /// The type that the second argument names.
        case named
    }

    /// The numbers of arguments with which a function can be called; nil for an unknown function.
    package static func argumentCounts(of selector: String) -> ClosedRange<Int>? {
        Self(rawValue: selector)?.argumentCounts
    }

    /// What a function gives; nil for an unknown function.
    package static func resultKind(of selector: String) -> ResultKind? { Self(rawValue: selector)?.resultKind }

    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .random, .now: 0...0
        case .count, .sum, .average, .minimum, .maximum, .median, .mode, .standardDeviation: 1...Int.max
        case .absolute, .squareRoot, .naturalLogarithm, .logarithm, .exponential, .floor, .ceiling, .truncate,
            .randomBelow, .complement, .uppercase, .lowercase, .length, .canonical, .noIndex:
            1...1
        case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft,
            .shiftRight, .element, .cast:
            2...2
        }
    }

    private var resultKind: ResultKind {
        switch self {
        case .add, .subtract: .numberOrDate
        case .multiply, .divide, .modulus, .power, .absolute, .squareRoot, .naturalLogarithm, .logarithm, .exponential,
            .floor, .ceiling, .truncate, .random, .randomBelow, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft,
            .shiftRight, .complement, .length, .count, .sum, .average, .median, .standardDeviation:
            .number
        case .now: .date
        case .uppercase, .lowercase, .canonical: .text
        case .noIndex: .argument
        case .minimum, .maximum, .mode, .element: .element
        case .cast: .named
        }
    }

    /// Whether the same arguments always give the same result.
    var isConstant: Bool {
        switch self {
        case .random, .randomBelow, .now: false
        default: true
        }
    }
}
