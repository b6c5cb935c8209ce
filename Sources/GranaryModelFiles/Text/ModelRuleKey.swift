import GranaryYAML

/// The keys of a validation rule in its long form.
enum ModelRuleKey: String, TreeKey {
    case predicate, message, encoded
}
