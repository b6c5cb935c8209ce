import GranaryYAML

/// The keys of an element of a fetch index in its long form.
enum ModelIndexElementKey: String, TreeKey {
    case property, expression, kind, descending, notes
    case expressionType = "expression-type"
}
