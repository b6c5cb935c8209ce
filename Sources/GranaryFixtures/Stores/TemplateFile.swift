import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// A folder with a closed SQLite store and nothing else.
struct TemplateFile: Sendable {
    static let name = "Store.sqlite"

    let folder: String
    /// The model with the store's entity numbers.
    let schema: Schema
    /// Whether the version hashes of the model must equal the store's.
    var comparesHashes = true
}
