import GranaryBase

/// The numbers of a generator: the multiples of a power of ten between two bounds, or those at the distance of a step.
package struct GeneratedNumbers: Sendable, Hashable {
    let lower: ExactDecimal
    let upper: ExactDecimal
    /// The number of decimals.
    var scale: Int
    /// The distance of two numbers, counted from the lower bound; nil for one unit of the last decimal.
    var step: ExactDecimal?

    /// Doubles and Decimals keep as many digits.
    static let maximumScale = 15

    /// The numbers times 10^`scale`, and their distance; nil if there are none, or if a bound is beyond the limit.
    ///
    /// - Parameter limit: the maximum magnitude of a number times 10^`scale`.
    func multiples(scale: Int, limit: Int64) -> (range: ClosedRange<Int64>, step: Int64)? {
        guard scale <= Self.maximumScale,
            let range = NumberDomains.multiples(
                NumberBound(value: lower), NumberBound(value: upper), scale: scale, limit: .max),
            range.lowerBound >= -limit, range.upperBound <= limit
        else { return nil }
        guard let step else { return (range, 1) }
        let unit = NumberDomains.multiples(
            NumberBound(value: step), NumberBound(value: step), scale: scale, limit: .max)
        return unit.map { (range, $0.lowerBound) }
    }
}
