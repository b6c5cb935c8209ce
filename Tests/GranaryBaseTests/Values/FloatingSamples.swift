import TestSupport

/// Numbers of many kinds, with those beside the limits of the quick ways among them.
enum FloatingSamples {
    static func double(_ random: inout SeededGenerator) -> Double {
        var number: Double
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            number =
                Double(Int64.random(in: 0...9_999_999_999, using: &random))
                / tenTo(Int.random(in: 0...9, using: &random))
        case 1:
            let digits = Int64.random(in: 0...99_999_999_999_999_999, using: &random)
            number = Double(digits) / tenTo(Int.random(in: 0...18, using: &random))
        case 2:
            number = Double(sign: .plus, exponent: Int.random(in: -1074...1023, using: &random), significand: 1)
        case 3: number = Double("1e\(Int.random(in: -323...308, using: &random))") ?? 0
        case 4: number = Double(bitPattern: random.next() >> 12)
        case 5: number = [1e12, 1e15, 9_007_199_254_740_992, 1e-3, 999_999.5, 0].randomElement(using: &random) ?? 0
        case 6: number = Double(bitPattern: random.next() >> 1)
        case 7: number = Double(Int64.random(in: 0...2_000_000_000_000_000, using: &random))
        default: number = Double(Int64.random(in: 0...10_000_000, using: &random)) / 100
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            number = Bool.random(using: &random) ? number.nextUp : number.nextDown
        }
        return Bool.random(using: &random) ? -number : number
    }

    static func float(_ random: inout SeededGenerator) -> Float {
        var number: Float
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            let scale = Float(tenTo(Int.random(in: 0...7, using: &random)))
            number = Float(Int32.random(in: 0...9_999_999, using: &random)) / scale
        case 1: number = Float(sign: .plus, exponent: Int.random(in: -149...127, using: &random), significand: 1)
        case 2: number = Float("1e\(Int.random(in: -45...38, using: &random))") ?? 0
        case 3: number = [1e5, 1e6, 16_777_216, 1e-3, 999.5, 0].randomElement(using: &random) ?? 0
        case 4: number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 41))
        case 5: number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 33))
        default: number = Float(Int32.random(in: 0...20_000_000, using: &random))
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            number = Bool.random(using: &random) ? number.nextUp : number.nextDown
        }
        return Bool.random(using: &random) ? -number : number
    }

    /// A date with a fraction of few or many digits, before or after 2001.
    static func date(_ random: inout SeededGenerator) -> Double {
        let first = -63_145_526_400.0
        let end = 252_423_993_600.0
        var date: Double
        switch Int.random(in: 0..<6, using: &random) {
        case 0: date = Double.random(in: first..<end, using: &random)
        case 1: date = Double(Int64.random(in: -2_000_000_000_000...2_000_000_000_000, using: &random)) / 1000
        case 2: date = Double(Int64.random(in: -63_145_526_400..<252_423_993_600, using: &random))
        case 3: date = Double(Int64.random(in: -2_000_000...2_000_000, using: &random)) / 1_000_000
        case 4: date = double(&random).truncatingRemainder(dividingBy: 1e10)
        default: date = [first, end.nextDown, 0, -0.0, 1, -1, 86_400].randomElement(using: &random) ?? 0
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            date = Bool.random(using: &random) ? date.nextUp : date.nextDown
        }
        return date
    }

    private static func tenTo(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
