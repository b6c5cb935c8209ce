import Foundation

/// A function of the values of a collection: a collection operator of a key path, or a function such as `sum:`.
///
/// NULL and values of other kinds are left out.
enum PredicateAggregate: Sendable {
    /// 0 for no numbers. Integers and Booleans give an integer, Decimals a Decimal, other numbers a double
    /// (``NumberSum``).
    case sum
    /// A Decimal for Decimals, otherwise a double.
    case average
    /// The first value in the order of numbers, text, dates or bytes.
    case minimum
    case maximum
    /// A double; the mean of the two middle numbers if their count is even.
    case median
    /// The most frequent value; the smallest of several.
    case mode
    /// The standard deviation of all numbers (not of a sample), as a double.
    case standardDeviation

    /// Nil is NULL: for no values (except the sum), and for a result that is not a number.
    func value(of operands: [PredicateOperand?]) -> AttributeValue? {
        switch self {
        case .sum: return Self.sum(operands).sum
        case .average: return Self.sum(operands).mean
        case .minimum: return Self.extreme(operands) { $0 < 0 }
        case .maximum: return Self.extreme(operands) { $0 > 0 }
        case .median: return Self.middle(operands)
        case .mode: return Self.mostFrequent(operands)
        case .standardDeviation:
            let numbers = Self.numbers(operands).map(\.double)
            guard !numbers.isEmpty else { return nil }
            let mean = numbers.reduce(0, +) / Double(numbers.count)
            let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return AttributeValue.number((squares / Double(numbers.count)).squareRoot())
        }
    }

    private static func values(_ operands: [PredicateOperand?]) -> [AttributeValue] {
        operands.compactMap { if case .value(let value)? = $0 { value } else { nil } }
    }

    private static func numbers(_ operands: [PredicateOperand?]) -> [ArithmeticNumber] {
        values(operands).compactMap(ArithmeticNumber.init)
    }

    private static func sum(_ operands: [PredicateOperand?]) -> NumberSum {
        var sum = NumberSum()
        for value in values(operands) { sum.add(value) }
        return sum
    }

    private static func extreme(
        _ operands: [PredicateOperand?], _ isBetter: (Int) -> Bool
    ) -> AttributeValue? {
        var best: AttributeValue?
        for value in values(operands) {
            guard let current = best else {
                best = value
                continue
            }
            if isBetter(ObjectSortDescriptor.standardOrder(value, current)) { best = value }
        }
        return best
    }

    private static func middle(_ operands: [PredicateOperand?]) -> AttributeValue? {
        let numbers = Self.numbers(operands).map(\.double).filter { !$0.isNaN }.sorted()
        guard !numbers.isEmpty else { return nil }
        let middle = numbers.count / 2
        if numbers.count % 2 == 1 { return AttributeValue.number(numbers[middle]) }
        return AttributeValue.number(numbers[middle - 1] / 2 + numbers[middle] / 2)
    }

    private static func mostFrequent(_ operands: [PredicateOperand?]) -> AttributeValue? {
        // Equal values are neighbours in their order.
        let sorted = values(operands).sorted { ObjectSortDescriptor.standardOrder($0, $1) < 0 }
        var best: (value: AttributeValue, count: Int)?
        var run: (value: AttributeValue, count: Int)?
        for value in sorted {
            if let current = run, ObjectSortDescriptor.standardOrder(current.value, value) == 0 {
                run = (current.value, current.count + 1)
            } else {
                run = (value, 1)
            }
            if let current = run, current.count > (best?.count ?? 0) { best = current }
        }
        return best?.value
    }
}

extension AttributeValue {
    /// A double; nil for NaN.
    static func number(_ value: Double) -> AttributeValue? { value.isNaN ? nil : .double(value) }
}
