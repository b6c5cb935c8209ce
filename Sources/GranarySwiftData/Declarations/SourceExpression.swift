/// An expression, as far as schemas use expressions.
package indirect enum SourceExpression: Codable, Sendable, Hashable {
    case null
    case boolean(Bool)
    /// The digits as written, with a sign, without underscores.
    case integer(String)
    case float(String)
    /// A string without interpolation, its escapes resolved.
    case string(String)
    case array([SourceExpression])
    case dictionary([SourceExpression])
    /// `callee(arguments)`, without trailing closures.
    case call(SourceExpression, [SourceArgument])
    /// `base.name`; without a base `.name`.
    case member(SourceExpression?, String)
    case name(String)
    /// A name with generic arguments, such as `Set<String>`, or an array or optional type used as a value.
    case type(SourceType)
    /// `\Root.a.b`; the root can be absent.
    case keyPath(SourceType?, [String])
    /// Operands and the operators between them: `V1.models + [Trip.self]`.
    case sequence([SourceExpression], [String])
    /// Any other expression, as text of at most 200 characters.
    case other(String)
}
