import GranaryYAML

/// The keys of a composite.
enum ModelCompositeKey: String, TreeKey {
    case attributes, notes
}
