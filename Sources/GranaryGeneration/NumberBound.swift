import GranaryBase

/// A bound of numbers.
package struct NumberBound: Sendable, Hashable {
    var value: ExactDecimal
    /// Whether the bound itself is not allowed.
    var isStrict = false
}
