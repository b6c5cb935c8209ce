import GranaryBase

/// The sum and the mean of numbers, in the order in which they are added.
///
/// Integers and Booleans are added as integers, as long as the sum fits. Larger sums of integers, and sums with Decimals,
/// are Decimals and exact if they have at most 38 digits. All other sums are doubles.
package struct NumberSum {
    private var count: Int64 = 0
    /// The sum of the integers; nil after an overflow or another number.
    private var integers: Int64? = 0
    /// The sum of the Decimals and integers; nil after another number, or if it has more than 38 digits.
    private var decimals: ExactDecimal? = .zero
    private var reals = 0.0

    package init() {}

    /// Adds a number. Other values do not count.
    package mutating func add(_ value: AttributeValue) {
        guard let number = ComparedNumber(value) else { return }
        count += 1
        reals += number.nearestDouble
        switch number {
        case .integer(let integer):
            let (sum, overflow) = (integers ?? 0).addingReportingOverflow(integer)
            if overflow { integers = nil }
            if integers != nil { integers = sum }
            decimals = decimals?.adding(ExactDecimal(integer))
        case .decimal(let decimal):
            integers = nil
            decimals = decimals?.adding(decimal)
        case .real: (integers, decimals) = (nil, nil)
        }
    }

    /// The exact sum of numbers with Decimals, or of integers that is no integer of 64 bits; nil if there is none.
    private var exactSum: ExactDecimal? { integers == nil ? decimals : nil }

    /// The sum: an integer, a Decimal or a double. It is the integer 0 if there are no numbers, and nil if it is NaN.
    package var sum: AttributeValue? {
        if let integers { return .integer(integers) }
        return exactSum.map { .decimal($0.foundationDecimal) } ?? AttributeValue.number(reals)
    }

    /// The mean: a Decimal with at most 38 digits if the sum is an exact Decimal, or if the mean is a whole number that no
    /// double is; otherwise a double.
    /// It is nil if there are no numbers, or if it is NaN.
    package var mean: AttributeValue? {
        guard count > 0 else { return nil }
        if let mean = exactSum?.divided(by: count) { return .decimal(mean.foundationDecimal) }
        if let integers, integers.isMultiple(of: count), Int64(exactly: Double(integers / count)) != integers / count {
            return .decimal(ExactDecimal(integers / count).foundationDecimal)
        }
        return AttributeValue.number((integers.map { Double($0) } ?? reals) / Double(count))
    }
}
