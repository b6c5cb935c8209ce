import GranaryYAML

/// The keys of a fetch index in its long form.
enum ModelIndexKey: String, TreeKey {
    case elements, predicate, notes
}
