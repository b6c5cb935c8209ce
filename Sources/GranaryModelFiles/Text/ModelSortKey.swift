import GranaryYAML

/// The keys of an order of a fetch request in its long form.
enum ModelSortKey: String, TreeKey {
    case key, descending, comparison
}
