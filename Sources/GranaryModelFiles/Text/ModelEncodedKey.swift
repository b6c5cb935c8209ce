import GranaryYAML

/// The key of a value that has no text form.
enum ModelEncodedKey: String, TreeKey {
    case encoded
}
