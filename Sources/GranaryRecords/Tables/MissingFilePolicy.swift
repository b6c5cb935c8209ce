/// What happens to a value whose external file is missing.
public enum MissingFilePolicy: String, Sendable, CaseIterable {
    /// It is an error that names the object, the property and the file.
    case error
    /// The value is NULL, and a warning names the object, the property and the file.
    case null
}
