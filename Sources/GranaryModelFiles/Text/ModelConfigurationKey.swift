import GranaryYAML

/// The keys of a configuration in its long form.
enum ModelConfigurationKey: String, TreeKey {
    case entities, notes
}
