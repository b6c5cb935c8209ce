/// The reason why a text is not a value of the expected type.
///
/// The reason is a noun phrase that the caller appends to its message: `"007" is not an Integer 16: a leading zero`.
/// Nearly all reasons are literals, so that refusing a million values allocates no memory.
package enum ValueTextError: Error, Hashable, Sendable {
    /// The syntax is wrong.
    case syntax(String)
    /// The syntax is right, but the value is outside the range of the type.
    case range(String)
    /// The syntax is right, but there are more digits than the type can hold.
    case precision(String)
    /// The text has several meanings.
    case ambiguous(String)

    package var reason: String {
        switch self {
        case .syntax(let reason), .range(let reason), .precision(let reason), .ambiguous(let reason): reason
        }
    }

    /// The code of a diagnostic about the error.
    package var code: Diagnostic.Code {
        switch self {
        case .syntax: .valueSyntax
        case .range: .valueRange
        case .precision: .valuePrecision
        case .ambiguous: .valueAmbiguous
        }
    }
}
