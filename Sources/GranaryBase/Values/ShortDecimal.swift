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
    init?(_ magnitude: Double) {
        guard magnitude >= 1e-3, magnitude < 1e12 else { return nil }
        var scale = 10.0
        var integerScale: UInt64 = 10
        for places in 1...6 {
            let scaled = (magnitude * scale).rounded(.toNearestOrEven)
            guard scaled < 1e15 else { return nil }
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

    @inline(__always)
    init?(_ magnitude: Float) {
        guard magnitude >= 1e-3, magnitude < 1e5 else { return nil }
        var scale: Float = 10
        var integerScale: UInt64 = 10
        for places in 1...6 {
            let scaled = (magnitude * scale).rounded(.toNearestOrEven)
            guard scaled < 1e6 else { return nil }
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
