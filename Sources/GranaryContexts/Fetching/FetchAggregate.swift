import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// A value that combines the rows of a group.
struct FetchAggregate: Hashable {
    enum Function: String {
        case sum = "sum:"
        case average = "average:"
        case minimum = "min:"
        case maximum = "max:"
        case count = "count:"

        /// The function of a key path such as `@sum.salary`.
        init?(keyPathOperator name: Substring) {
            switch name {
            case "@sum": self = .sum
            case "@avg": self = .average
            case "@min": self = .minimum
            case "@max": self = .maximum
            default: return nil
            }
        }
    }

    let function: Function
    /// The value of each row; nil for the row itself, which is only counted.
    let argument: ObjectExpression?

    /// The state of an aggregate for one group.
    ///
    /// A sum of integers is an integer, or a double if it overflows. A sum with Decimals is an exact Decimal if the other
    /// values are Decimals or integers and it has at most 38 digits. Other sums, and averages, are doubles.
    struct Accumulator {
        private let function: Function
        private var count: Int64 = 0
        /// The sum of the integers; nil after an overflow or another number.
        private var integers: Int64? = 0
        /// The sum of the Decimals and integers; nil after another number, or if it has more than 38 digits.
        private var decimals: ExactDecimal? = ExactDecimal(0)
        private var hasDecimals = false
        private var reals = 0.0
        private var extreme: AttributeValue?

        init(_ function: Function) { self.function = function }

        /// Adds the value of a row. NULLs do not count.
        mutating func add(_ value: AttributeValue?) {
            guard let value else { return }
            switch function {
            case .count: count += 1
            case .sum, .average:
                guard let number = value.doubleValue else { return }
                count += 1
                reals += number
                let sum = value.integerValue.flatMap { integer in integers?.addingReportingOverflow(integer) }
                integers = sum.flatMap { $0.overflow ? nil : $0.partialValue }
                if case .decimal = value { hasDecimals = true }
                decimals = decimals.flatMap { sum in value.exactDecimal.flatMap { sum.adding($0) } }
            case .minimum, .maximum:
                guard let known = extreme else {
                    extreme = value
                    return
                }
                let order = Self.order.order([value], [known])
                if function == .minimum ? order < 0 : order > 0 { extreme = value }
            }
        }

        /// Adds a row whose value is an object.
        mutating func addObject() { count += 1 }

        var result: AttributeValue? {
            switch function {
            case .count: .integer(count)
            case .sum:
                if let integers {
                    .integer(integers)
                } else if let exactSum {
                    .decimal(exactSum.foundationDecimal)
                } else {
                    .double(reals)
                }
            case .average: count == 0 ? nil : .double((exactSum?.nearestDouble ?? reals) / Double(count))
            case .minimum, .maximum: extreme
            }
        }

        /// The sum with Decimals, if it is exact.
        private var exactSum: ExactDecimal? { hasDecimals ? decimals : nil }

        private static let order = SortOrder([ObjectSortDescriptor("SELF")])
    }
}

extension AttributeValue {
    /// An integer or a Boolean as an integer.
    var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// A Decimal, an integer or a Boolean as an exact number.
    fileprivate var exactDecimal: ExactDecimal? {
        if case .decimal(let value) = self { return ExactDecimal(exactly: value) }
        return integerValue.map { ExactDecimal($0) }
    }

    /// A number as a double; nil for other values.
    var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .boolean(let value): value ? 1 : 0
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        case .string, .date, .binary, .uuid, .uri: nil
        }
    }

    /// A number as a decimal; nil for other values and for doubles that are no decimals.
    var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .boolean(let value): value ? 1 : 0
        case .float(let value): ExactDecimal(shortest: Double(value))?.foundationDecimal
        case .double(let value): ExactDecimal(shortest: value)?.foundationDecimal
        case .decimal(let value): value
        case .string, .date, .binary, .uuid, .uri: nil
        }
    }
}

extension ExactDecimal {
    /// The exact sum; nil if it has more than 38 digits.
    func adding(_ other: ExactDecimal) -> ExactDecimal? {
        if mantissa == 0 { return other }
        if other.mantissa == 0 { return self }
        let exponent = min(self.exponent, other.exponent)
        guard let left = mantissa.scaled(by: Int(self.exponent) - Int(exponent)),
            let right = other.mantissa.scaled(by: Int(other.exponent) - Int(exponent))
        else { return nil }
        guard isNegative != other.isNegative else {
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? nil : ExactDecimal(isNegative: isNegative, mantissa: sum, exponent: Int(exponent))
        }
        let difference = left > right ? left - right : right - left
        return ExactDecimal(
            isNegative: left > right ? isNegative : other.isNegative, mantissa: difference, exponent: Int(exponent))
    }
}

extension UInt128 {
    /// The number times a power of ten; nil if it does not fit.
    fileprivate func scaled(by exponent: Int) -> UInt128? {
        var result = self
        // A non-zero number overflows after at most 38 steps.
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }
}
