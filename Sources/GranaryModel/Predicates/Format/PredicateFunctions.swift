/// The functions of the predicate language. (`NSExpression.init(forFunction:arguments:)`)
package enum PredicateFunctions {
    /// The number of arguments of each known function, by its Objective-C name.
    package static let counts: [String: Int] = [
        "now": 0, "random": 0,
        "sum:": 1, "count:": 1, "average:": 1, "min:": 1, "max:": 1, "median:": 1, "mode:": 1, "stddev:": 1,
        "sqrt:": 1, "log:": 1, "ln:": 1, "exp:": 1, "floor:": 1, "ceiling:": 1, "abs:": 1, "trunc:": 1, "random:": 1,
        "onesComplement:": 1, "uppercase:": 1, "lowercase:": 1, "length:": 1, "canonical:": 1, "noindex:": 1,
        "add:to:": 2, "from:subtract:": 2, "multiply:by:": 2, "divide:by:": 2, "modulus:by:": 2, "raise:toPower:": 2,
        "bitwiseAnd:with:": 2, "bitwiseOr:with:": 2, "bitwiseXor:with:": 2, "leftshift:by:": 2, "rightshift:by:": 2,
        "castObject:toType:": 2, "objectFrom:withIndex:": 2, "distanceToLocation:fromLocation:": 2,
    ]

    /// The functions that take the elements of a collection, or any number of arguments.
    package static let variadic: Set<String> = [
        "sum:", "count:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
    ]

    /// The functions with a sign between their two arguments.
    static let signs = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
    ]

    /// Whether the evaluation in memory knows a function.
    package static func isEvaluable(_ name: String) -> Bool {
        counts[name] != nil && name != "distanceToLocation:fromLocation:"
    }

    private static let byFirstPart = Dictionary(
        counts.keys.sorted().map { (PredicateFunctions.firstPart($0), $0) }, uniquingKeysWith: { first, _ in first })

    /// The known function whose name has the same first part: `add:to:` for `add`.
    static func function(like name: String) -> (name: String, count: Int)? {
        guard let known = byFirstPart[firstPart(name)], let count = counts[known] else { return nil }
        return (known, count)
    }

    private static func firstPart(_ name: String) -> Substring { name.prefix { $0 != ":" } }
}
