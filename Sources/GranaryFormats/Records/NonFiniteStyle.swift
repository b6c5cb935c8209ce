/// How infinities and NaN are written. Stores of other programs can contain infinities.
public enum NonFiniteStyle: String, Sendable, CaseIterable {
    /// They are refused, with the name of the object.
    case error
    /// As the texts `Infinity`, `-Infinity` and `NaN`. An import refuses these texts.
    case text
}
