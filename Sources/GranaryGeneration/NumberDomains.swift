import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// The domains of numbers and dates between bounds.
package enum NumberDomains {
    /// The multiples of 10^-scale between two bounds, as integers; nil if there are none within the limit.
    package static func multiples(
        _ lower: NumberBound?, _ upper: NumberBound?, scale: Int, limit: Int64
    ) -> ClosedRange<Int64>? {
        var (first, last) = (Int128(-limit), Int128(limit))
        if let lower {
            let value =
                lower.isStrict
                ? scaled(lower.value, by: scale, up: false) + 1 : scaled(lower.value, by: scale, up: true)
            first = max(first, value)
        }
        if let upper {
            let value =
                upper.isStrict
                ? scaled(upper.value, by: scale, up: true) - 1 : scaled(upper.value, by: scale, up: false)
            last = min(last, value)
        }
        guard first <= last, let low = Int64(exactly: first), let high = Int64(exactly: last) else { return nil }
        return low...high
    }

    /// The maximum magnitude of a scaled number. Larger numbers are replaced by it.
    private static let hugeMagnitude: UInt128 = 1_000_000_000_000_000_000_000_000_000_000

    /// `number` × 10^`scale`, rounded to an integer and limited to 10^30.
    private static func scaled(_ number: ExactDecimal, by scale: Int, up: Bool) -> Int128 {
        var magnitude = number.mantissa
        var exponent = Int(number.exponent) + scale
        var isExact = true
        while exponent > 0, magnitude < hugeMagnitude, magnitude != 0 {
            magnitude *= 10  // at most 10^31
            exponent -= 1
        }
        while exponent < 0, magnitude != 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            if remainder != 0 { isExact = false }
            magnitude = quotient
            exponent += 1
        }
        if !isExact, up != number.isNegative { magnitude += 1 }
        let result = Int128(min(magnitude, hugeMagnitude))
        return number.isNegative ? -result : result
    }

    private static func size(_ range: ClosedRange<Int64>, step: Int64 = 1) -> UInt64 {
        let steps = UInt64(bitPattern: range.upperBound &- range.lowerBound) / UInt64(max(1, step))
        let (count, overflow) = steps.addingReportingOverflow(1)
        return overflow ? ValueDomain.sizeLimit : min(count, ValueDomain.sizeLimit)
    }

    private static func number(_ range: ClosedRange<Int64>, _ index: UInt64, step: Int64 = 1) -> Int64 {
        range.lowerBound &+ Int64(truncatingIfNeeded: index) &* step
    }

    // MARK: Integers

    static func integers(_ range: ClosedRange<Int64>, step: Int64 = 1) -> ValueDomain {
        ValueDomain(size: size(range, step: step)) { .integer(number(range, $0, step: step)) }
    }

    // MARK: Decimals

    /// Decimals that a double keeps have at most 15 digits.
    static let decimalLimit: Int64 = 10_000_000_000_000
    /// Two such numbers with two decimals are different doubles.
    static let doubleLimit: Int64 = 10_000_000_000_000
    /// Two such numbers with two decimals are different Floats.
    static let floatLimit: Int64 = 6_553_600

    static func decimals(_ range: ClosedRange<Int64>, scale: Int, step: Int64) -> ValueDomain {
        ValueDomain(size: size(range, step: step)) { index in
            let value = number(range, index, step: step)
            let exact = ExactDecimal(
                isNegative: value < 0, mantissa: UInt128(value.magnitude), exponent: -scale)
            return .decimal((exact ?? .zero).foundationDecimal)
        }
    }

    /// Numbers are divided by a power of ten: IEEE division gives the same result on every machine.
    static func doubles(_ range: ClosedRange<Int64>, scale: Int, step: Int64) -> ValueDomain {
        let divisor = power(scale)
        return ValueDomain(size: size(range, step: step)) {
            .double(Double(number(range, $0, step: step)) / divisor)
        }
    }

    static func floats(_ range: ClosedRange<Int64>, scale: Int, step: Int64) -> ValueDomain {
        let divisor = Float(power(scale))
        return ValueDomain(size: size(range, step: step)) {
            .float(Float(number(range, $0, step: step)) / divisor)
        }
    }

    private static func power(_ scale: Int) -> Double {
        (0..<max(0, scale)).reduce(1.0) { product, _ in product * 10 }
    }

    // MARK: Floating-point numbers by their bits

    /// All doubles between two bounds, in ascending order.
    static func allDoubles(_ lower: Double, _ upper: Double) -> ValueDomain? {
        guard let range = ordered(lower, upper) else { return nil }
        return ValueDomain(size: size(range)) { .double(double(ordered: number(range, $0))) }
    }

    /// All Floats between two bounds, in ascending order.
    static func allFloats(_ lower: Float, _ upper: Float) -> ValueDomain? {
        guard lower <= upper else { return nil }
        let (first, last) = (Int64(ordered(lower)), Int64(ordered(upper)))
        guard first <= last else { return nil }
        let range = first...last
        return ValueDomain(size: size(range)) { index in
            let place = number(range, index)
            let magnitude = Float(bitPattern: UInt32(truncatingIfNeeded: place.magnitude))
            return .float(place < 0 ? -magnitude : magnitude)
        }
    }

    /// All dates between two bounds, in ascending order.
    static func allDates(_ lower: Double, _ upper: Double) -> ValueDomain? {
        guard let range = ordered(lower, upper) else { return nil }
        return ValueDomain(size: size(range)) { index in
            .date(Date(timeIntervalSinceReferenceDate: double(ordered: number(range, index))))
        }
    }

    private static func ordered(_ lower: Double, _ upper: Double) -> ClosedRange<Int64>? {
        guard lower.isFinite, upper.isFinite, lower <= upper else { return nil }
        func place(_ value: Double) -> Int64 {
            let bits = Int64(bitPattern: value.magnitude.bitPattern)
            return value < 0 ? -bits : bits
        }
        let (first, last) = (place(lower), place(upper))
        return first <= last ? first...last : nil
    }

    private static func ordered(_ value: Float) -> Int32 {
        let bits = Int32(bitPattern: value.magnitude.bitPattern)
        return value < 0 ? -bits : bits
    }

    private static func double(ordered place: Int64) -> Double {
        let magnitude = Double(bitPattern: place.magnitude)
        return place < 0 ? -magnitude : magnitude
    }

    // MARK: Dates

    /// The dates in a range of seconds that are multiples of a step. A smaller step is used if there are none.
    static func dates(_ range: ClosedRange<Int64>, step: Int64) -> ValueDomain {
        for step in [step, 60] where step > 1 {
            let remainder = range.lowerBound % step
            let missing = remainder == 0 ? 0 : remainder > 0 ? step - remainder : -remainder
            let (first, overflow) = range.lowerBound.addingReportingOverflow(missing)
            guard !overflow, first <= range.upperBound else { continue }
            let count = UInt64(bitPattern: range.upperBound &- first) / UInt64(step) + 1
            return ValueDomain(size: count) { index in
                let seconds = first &+ Int64(truncatingIfNeeded: index) &* step
                return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
            }
        }
        return ValueDomain(size: size(range)) { index in
            .date(Date(timeIntervalSinceReferenceDate: Double(number(range, index))))
        }
    }
}
