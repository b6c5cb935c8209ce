import GranaryYAML

/// The keys of a fetched property in its long form.
enum ModelFetchedPropertyKey: String, TreeKey {
    case request, required, syncable, notes
    case renamedFrom = "renamed-from"
    case hashModifier = "hash-modifier"
    case userInfo = "user-info"
}
