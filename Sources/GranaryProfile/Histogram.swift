/// How many values lie in each of several ranges of equal width.
package struct Histogram: Sendable, Hashable, Encodable {
    /// Where the first range begins. Dates are seconds since 2001-01-01 00:00:00 UTC.
    package var lowest: Double
    package var width: Double
    package var counts: [Int]
}
