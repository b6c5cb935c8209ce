import Foundation

/// Estimates how many different values were added, in 16 KB, with a standard error of 0.8 % (HyperLogLog, Flajolet and
/// others 2007, with the correction for small counts).
struct DistinctEstimate {
    private static let bits = 14
    private var registers = [UInt8](repeating: 0, count: 1 << Self.bits)

    /// - Parameter hash: a ``ValueHash``.
    mutating func add(_ hash: UInt64) {
        let index = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.bits))
        let rank = UInt8(truncatingIfNeeded: min((hash << UInt64(Self.bits)).leadingZeroBitCount, 64 - Self.bits) + 1)
        if rank > registers[index] { registers[index] = rank }
    }

    var count: Int {
        let size = Double(registers.count)
        var sum = 0.0
        var empty = 0
        for register in registers {
            sum += 1 / Double(sign: .plus, exponent: Int(register), significand: 1)
            if register == 0 { empty += 1 }
        }
        let estimate = 0.7213 / (1 + 1.079 / size) * size * size / sum
        let corrected = estimate <= 2.5 * size && empty > 0 ? size * log(size / Double(empty)) : estimate
        return Int(corrected.rounded())
    }
}
