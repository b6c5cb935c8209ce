import GranaryBase
import GranaryPredicates

extension PredicateResolver {
    /// Resolves a function and tells what it gives.
    func resolved(
        _ name: String, _ arguments: [ObjectExpression]
    ) throws(GranaryError) -> (expression: ObjectExpression, kind: ExpressionKind) {
        let place = PredicateFunction.shortened(name) + "("
        guard let function = PredicateFunction(selector: name) else {
            let quoted = Self.quoted(PredicateFunction.shortened(name))
            throw error("there is no function \(quoted)\(PredicateFunction.hint(for: name))", at: place)
        }
        let counts = function.argumentCounts
        guard counts.contains(arguments.count) else {
            let wanted =
                counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "at least \(counts.lowerBound)"
            throw error(
                "the function \(Self.quoted(function.shortName)) takes \(wanted) arguments, not \(arguments.count)",
                at: place)
        }
        let (values, kinds) = try resolved(arguments)
        for (index, kind) in kinds.enumerated() {
            let wanted = function.argumentKind(at: index)
            guard !kind.isArgument(wanted) else { continue }
            let argument = arguments[index]
            // For a sign, the mark is under the wrong argument. `~` counts as a sign, although it is printed as a
            // function.
            let isSign = function.sign != nil || function == .complement
            let what = function.sign.map { "the sign \($0)" } ?? function.shortName
            throw error(
                "\(what) takes \(wanted.phrase), but \(Self.shown(argument)) is \(kind.phrase)",
                at: isSign ? argument.description : place)
        }
        return (.function(name, values), try kind(of: function, arguments, kinds))
    }

    private func kind(
        of function: PredicateFunction, _ arguments: [ObjectExpression], _ kinds: [ExpressionKind]
    ) throws(GranaryError) -> ExpressionKind {
        let first = kinds.first ?? .null
        switch function.resultKind {
        case .number: return .number
        case .text: return .text
        case .date: return .date
        case .argument: return first
        case .element: return function == .element ? first.element : Self.common(kinds.map(\.element))
        case .numberOrDate: return try kind(ofSumOf: arguments, kinds, function)
        case .named:
            guard case .constant(.string(let type))? = arguments.last else {
                throw error("CAST takes a value and the name of a class", at: "CAST(")
            }
            guard let target = CastTarget(rawValue: type) else {
                throw error(
                    "CAST to \(Self.quoted(type)) is not supported", at: ObjectExpression.constant(.string(type)))
            }
            return target.kind
        }
    }

    /// A date plus or minus seconds is a date, and the difference of two dates is a number of seconds.
    private func kind(
        ofSumOf arguments: [ObjectExpression], _ kinds: [ExpressionKind], _ function: PredicateFunction
    ) throws(GranaryError) -> ExpressionKind {
        guard let left = kinds.first, let right = kinds.last, kinds.count == 2 else { return .number }
        switch (left, right, function) {
        case (.date, .date, .subtract): return .number
        case (.date, .date, _): throw error("two dates cannot be added", at: arguments[0])
        case (.number, .date, .subtract):
            throw error("a date cannot be subtracted from a number", at: arguments[0])
        case (.date, .number, _), (.number, .date, _): return .date
        case (.number, .number, _): return .number
        // The kind of one side is known only when the predicate is evaluated.
        default: return .unknown
        }
    }
}
