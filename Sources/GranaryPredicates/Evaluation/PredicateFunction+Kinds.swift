/// The kinds of a function's arguments and result.
extension PredicateFunction {
    /// The kind of a function's result.
    package enum ResultKind: Sendable, Hashable {
        case number, text, date
        /// A number, or a date if exactly one argument is a date.
        case numberOrDate
        /// The same as the first argument.
        case argument
        /// The same as the elements of the first argument.
        case element
        /// The type that the second argument names.
        case named
    }

    /// The kind of value that a function accepts as an argument. Every function also accepts NULL, and values whose
    /// kind is known only when the predicate is evaluated.
    package enum ArgumentKind: Sendable, Hashable {
        case number, text, numberOrDate
        /// Text, binary data or a collection.
        case measurable
        /// Numbers, or collections of numbers.
        case numbers
        /// Values that have an order, or collections of them.
        case ordered
        case any
        /// The name of a class, as a constant text.
        case typeName

        /// What the argument must be, for messages.
        package var phrase: String {
            switch self {
            case .number: "a number"
            case .text: "text"
            case .numberOrDate: "a number or a date"
            case .measurable: "text, binary data or a collection"
            case .numbers: "numbers"
            case .ordered: "values that have an order"
            case .any: "a value"
            case .typeName: "the name of a class"
            }
        }
    }

    /// The numbers of arguments with which the function can be called.
    package var argumentCounts: ClosedRange<Int> {
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

    package var resultKind: ResultKind {
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

    /// What the argument at a place, from 0, must be.
    package func argumentKind(at place: Int) -> ArgumentKind {
        switch self {
        case .add, .subtract: .numberOrDate
        case .multiply, .divide, .modulus, .power, .absolute, .squareRoot, .naturalLogarithm, .logarithm, .exponential,
            .floor, .ceiling, .truncate, .randomBelow, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight,
            .complement:
            .number
        case .uppercase, .lowercase, .canonical: .text
        case .length: .measurable
        case .sum, .average, .median, .standardDeviation: .numbers
        case .minimum, .maximum, .mode: .ordered
        case .element: place == 0 ? .any : .number
        case .cast: place == 0 ? .any : .typeName
        case .count, .noIndex, .random, .now: .any
        }
    }
}
