import GranaryBase
import GranaryCoordination

/// A store that was built once, in a form that is quick to clone.
enum FixtureTemplate: Sendable {
    case memory(InMemoryStore.Contents)
    /// A closed SQLite store.
    case file(TemplateFile)
}
