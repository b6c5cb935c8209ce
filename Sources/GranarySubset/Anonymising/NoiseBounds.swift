/// The largest difference of a number from its replacement: `10%` of the number, or from `-5..5`.
package enum NoiseBounds: Sendable, Hashable {
    case percent(Double)
    case range(Double, Double)

    init(_ text: String) throws(AnonymisationRules.Decision.Problem) {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), share > 0, share <= 1000 {
            self = .percent(share)
        } else if let dots = text.firstRange(of: ".."), let lower = Double(text[..<dots.lowerBound]),
            let upper = Double(text[dots.upperBound...]), lower < upper, lower.isFinite, upper.isFinite
        {
            self = .range(lower, upper)
        } else {
            throw AnonymisationRules.Decision.Problem(
                message: "noise is a percentage, or a range: noise 10%, noise -5..5")
        }
    }

    /// - Parameter unit: the smallest difference of two numbers that have the value's form, so that small numbers change
    ///   too; 0 for none.
    func range(around value: Double, unit: Double) -> (lower: Double, upper: Double) {
        switch self {
        case .percent(let share):
            let part = max(value.magnitude * share / 100, unit)
            return (-part, part)
        case .range(let lower, let upper): return (lower, upper)
        }
    }
}
