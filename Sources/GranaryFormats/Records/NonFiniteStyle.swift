/// How infinities and NaN are written. Stores of other programs can contain infinities.
public enum NonFiniteStyle: String, Sendable, CaseIterable {
    /// The export is refused, with the name of the object.
    case error
    /// As the texts `Infinity`, `-Infinity` and `NaN`. An import rejects records with these texts.
    case text
}
