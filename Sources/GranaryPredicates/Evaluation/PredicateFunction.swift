import GranaryBase

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

    /// The function of an Objective-C name; `randomn:` is another name of `random:`. Nil for an unknown function.
    package init?(selector: String) {
        self.init(rawValue: selector == "randomn:" ? "random:" : selector)
    }

    /// The function of a call. The colons may be left out of the name of a function of one argument, and of one that
    /// takes any number of arguments.
    static func named(_ name: String, argumentCount: Int) -> PredicateFunction? {
        if let function = Self(selector: name), function.argumentCounts.contains(argumentCount) { return function }
        guard argumentCount > 0, !name.utf8.contains(UInt8(ascii: ":")), let function = Self(selector: name + ":"),
            function.argumentCounts.contains(argumentCount)
        else { return nil }
        return function
    }

    /// The function whose name has the same first part: `add:to:` for `add`.
    static func like(_ name: String) -> PredicateFunction? { byFirstPart[firstPart(name)] }

    private static let byFirstPart: [Substring: PredicateFunction] = {
        var result: [Substring: PredicateFunction] = [:]
        // The first of several in the order of their names: `random`, not `random:`.
        for function in PredicateFunction.allCases.sorted(by: { $0.rawValue > $1.rawValue }) {
            result[PredicateFunction.firstPart(function.rawValue)] = function
        }
        return result
    }()

    private static func firstPart(_ name: String) -> Substring { name.prefix { $0 != ":" } }

    /// A name without its only colon, as calls are usually written: `length` for `length:`.
    package static func shortened(_ selector: String) -> String {
        let hasOneColon = selector.hasSuffix(":") && !selector.dropLast().utf8.contains(UInt8(ascii: ":"))
        return hasOneColon ? String(selector.dropLast()) : selector
    }

    /// The name of the function as calls usually have it.
    package var shortName: String { Self.shortened(rawValue) }

    /// `; did you mean "length"?`, or an empty text.
    package static func hint(for selector: String) -> String {
        NearestText.hint(for: shortened(selector), in: allCases.map(\.shortName))
    }

    /// The sign between the two arguments.
    package var sign: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .power: "**"
        case .bitwiseAnd: "&"
        case .bitwiseOr: "|"
        case .bitwiseXor: "^"
        case .shiftLeft: "<<"
        case .shiftRight: ">>"
        default: nil
        }
    }

    /// The function of a sign, and the sign's precedence. A sign with a higher precedence binds more tightly.
    static func function(ofSign sign: String) -> (function: PredicateFunction, precedence: Int)? {
        switch sign {
        case "|": (.bitwiseOr, 0)
        case "^": (.bitwiseXor, 1)
        case "&": (.bitwiseAnd, 2)
        case "<<": (.shiftLeft, 3)
        case ">>": (.shiftRight, 3)
        case "+": (.add, 4)
        case "-": (.subtract, 4)
        case "*": (.multiply, 5)
        case "/": (.divide, 5)
        case "**": (.power, 6)
        default: nil
        }
    }

    /// Whether the function has a sign of bits, which other languages bind less closely than a comparison.
    var isBitwise: Bool {
        switch self {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: true
        default: false
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
