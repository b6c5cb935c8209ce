/// Why a text is not a value of the type that was asked for.
///
/// A reason is a noun phrase that follows the caller's own words: `"007" is not an Integer 16: a leading zero`.
/// It is a literal nearly always, so that refusing a million values allocates nothing here.
package enum ValueTextError: Error, Hashable, Sendable {
    /// Not written as the type is written.
    case syntax(String)
    /// Written well, but beyond what the type holds.
    case range(String)
    /// Written well, but with more digits than the type holds.
    case precision(String)
    /// The text has several meanings.
    case ambiguous(String)

    package var reason: String {
        switch self {
        case .syntax(let reason), .range(let reason), .precision(let reason), .ambiguous(let reason): reason
        }
    }

    /// The rule that a diagnostic about it names.
    package var code: Diagnostic.Code {
        switch self {
        case .syntax: .valueSyntax
        case .range: .valueRange
        case .precision: .valuePrecision
        case .ambiguous: .valueAmbiguous
        }
    }
}
