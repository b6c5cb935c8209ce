/// The shortest decimal of a number that needs few digits after the point.
///
/// For a number of places k it computes the integer m nearest to value x 10^k. If m and 10^k are exact in the type,
/// m / 10^k is rounded once, so m x 10^-k parses to the value if the quotient equals it. Two decimals of 15 digits (6
/// for `Float`) never parse to the same number, so the first k that succeeds gives the shortest digits.
struct ShortDecimal {
    let whole: UInt64
    /// The digits after the point, as an integer of ``places`` digits; the last one is not 0.
    let fraction: UInt64
    let places: Int
    /// 10 to the power of ``places``.
    let scale: UInt64

    /// - Parameter magnitude: a number that is not an integer. Nil if it needs more places, or if the standard library
    ///   writes it with an exponent.
    @inline(__always)
    init?(_ magnitude: Double) { self.init(magnitude, below: 1e12, exactBelow: 1e15) }

    @inline(__always)
    init?(_ magnitude: Float) { self.init(magnitude, below: 1e5, exactBelow: 1e6) }

    /// - Parameter exactBelow: integers below it have at most the digits that the type always keeps.
    @inline(__always)
    private init?<Number: BinaryFloatingPoint>(_ magnitude: Number, below limit: Number, exactBelow: Number) {
        guard magnitude >= 1e-3, magnitude < limit else { return nil }
        var scale: Number = 10
        var integerScale: UInt64 = 10
        for places in 1...6 {
            let scaled = (magnitude * scale).rounded(.toNearestOrEven)
            guard scaled < exactBelow else { return nil }
            if scaled / scale == magnitude {
                (whole, fraction) = UInt64(scaled).quotientAndRemainder(dividingBy: integerScale)
                (self.places, self.scale) = (places, integerScale)
                return
            }
            scale *= 10
            integerScale &*= 10
        }
        return nil
    }
}
