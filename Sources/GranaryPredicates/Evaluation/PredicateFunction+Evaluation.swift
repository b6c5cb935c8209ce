import Foundation

extension PredicateFunction {
    /// The result for evaluated arguments, whose number is right; nil for NULL.
    ///
    /// NULL as an argument gives NULL, except to `count:`, `sum:` and the other functions of a collection.
    /// ``noIndex``, ``now`` and ``cast`` are evaluated by ``PreparedExpression``.
    func value(_ arguments: [PredicateOperand?]) -> PredicateOperand? {
        switch self {
        case .random: return .value(.double(Double.random(in: 0..<1)))
        case .count: return .value(.integer(Int64(Self.collection(arguments).count)))
        case .sum: return Self.aggregate(.sum, arguments)
        case .average: return Self.aggregate(.average, arguments)
        case .minimum: return Self.aggregate(.minimum, arguments)
        case .maximum: return Self.aggregate(.maximum, arguments)
        case .median: return Self.aggregate(.median, arguments)
        case .mode: return Self.aggregate(.mode, arguments)
        case .standardDeviation: return Self.aggregate(.standardDeviation, arguments)
        case .element:
            guard arguments.count == 2 else { return nil }
            return PreparedExpression.element(in: arguments[0].elements, at: arguments[1])
        case .length:
            switch arguments.first ?? nil {
            case .list(let elements)?: return .value(.integer(Int64(elements.count)))
            case .value(let value)?: return value.comparedLength.map { .value(.integer($0)) }
            default: return nil
            }
        case .noIndex: return arguments.first ?? nil
        default: break
        }
        let argument = arguments.first ?? nil
        guard case .value(let first)? = argument else { return nil }
        guard arguments.count == 2 else { return value(first).map(PredicateOperand.value) }
        guard case .value(let second)? = arguments[1] else { return nil }
        return value(first, second).map(PredicateOperand.value)
    }

    /// The elements of one list, or the arguments. A list among several arguments adds its elements.
    private static func collection(_ arguments: [PredicateOperand?]) -> [PredicateOperand?] {
        if arguments.count == 1 { return arguments[0].elements }
        var elements: [PredicateOperand?] = []
        for argument in arguments {
            if case .list(let inner)? = argument {
                elements.append(contentsOf: inner)
            } else {
                elements.append(argument)
            }
        }
        return elements
    }

    private static func aggregate(
        _ aggregate: PredicateAggregate, _ arguments: [PredicateOperand?]
    ) -> PredicateOperand? {
        aggregate.value(of: collection(arguments)).map(PredicateOperand.value)
    }

    private func value(_ argument: AttributeValue) -> AttributeValue? {
        switch self {
        case .uppercase: return argument.comparedText.map { .string($0.uppercased()) }
        case .lowercase: return argument.comparedText.map { .string($0.lowercased()) }
        case .canonical: return argument.comparedText.map { .string(TextRule.canonical.folded($0)) }
        default: break
        }
        guard let number = ArithmeticNumber(argument) else { return nil }
        switch self {
        case .absolute: return number.magnitude
        case .squareRoot: return AttributeValue.number(number.double.squareRoot())
        case .naturalLogarithm: return AttributeValue.number(log(number.double))
        case .logarithm: return AttributeValue.number(log10(number.double))
        case .exponential: return AttributeValue.number(exp(number.double))
        case .floor: return number.rounded(.down)
        case .ceiling: return number.rounded(.up)
        case .truncate: return number.rounded(.towardZero)
        case .randomBelow:
            guard let limit = number.exactInteger, limit > 0 else { return nil }
            return .integer(Int64.random(in: 0..<limit))
        case .complement: return number.exactInteger.map { .integer(~$0) }
        default: return nil
        }
    }

    private func value(_ first: AttributeValue, _ second: AttributeValue) -> AttributeValue? {
        guard let left = ArithmeticNumber(first), let right = ArithmeticNumber(second) else {
            return dateValue(first, second)
        }
        switch self {
        case .add: return ArithmeticNumber.combined(left, right, { $0.addingReportingOverflow($1) }, { $0 + $1 })
        case .subtract:
            return ArithmeticNumber.combined(left, right, { $0.subtractingReportingOverflow($1) }, { $0 - $1 })
        case .multiply:
            return ArithmeticNumber.combined(left, right, { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
        case .divide: return ArithmeticNumber.quotient(left, right)
        case .modulus: return ArithmeticNumber.remainder(left, right)
        case .power: return AttributeValue.number(pow(left.double, right.double))
        default: break
        }
        guard let bits = left.exactInteger, let other = right.exactInteger else { return nil }
        switch self {
        case .bitwiseAnd: return .integer(bits & other)
        case .bitwiseOr: return .integer(bits | other)
        case .bitwiseXor: return .integer(bits ^ other)
        // A negative shift goes the other way, and one by more than 63 bits loses all bits.
        case .shiftLeft: return .integer(bits << other)
        case .shiftRight: return .integer(bits >> other)
        default: return nil
        }
    }

    /// Date plus or minus seconds is a date, date minus date is seconds.
    private func dateValue(_ first: AttributeValue, _ second: AttributeValue) -> AttributeValue? {
        let seconds: Double
        switch (self, first, second) {
        case (.subtract, .date(let left), .date(let right)):
            return AttributeValue.number(left.timeIntervalSinceReferenceDate - right.timeIntervalSinceReferenceDate)
        case (.add, .date(let date), let other), (.add, let other, .date(let date)):
            guard let number = ArithmeticNumber(other) else { return nil }
            seconds = date.timeIntervalSinceReferenceDate + number.double
        case (.subtract, .date(let date), let other):
            guard let number = ArithmeticNumber(other) else { return nil }
            seconds = date.timeIntervalSinceReferenceDate - number.double
        default: return nil
        }
        return seconds.isNaN ? nil : .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
}

extension TextRule {
    /// `[cd]`.
    static let canonical = TextRule([.caseInsensitive, .diacriticInsensitive])
}
