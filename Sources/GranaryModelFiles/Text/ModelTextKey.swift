import GranaryYAML

/// The keys at the top of a model as text. docs/model-text.md describes them, docs/model.schema.json repeats them for
/// editors.
enum ModelTextKey: String, TreeKey {
    case entities, composites, configurations, syncable, scalars, notes
    case fetchRequests = "fetch-requests"
    case versionIdentifiers = "version-identifiers"
    /// The schema of the file, for editors.
    case schema = "$schema"
}
