import GranaryCoordination

/// What a revert took back.
package struct RevertedRun: Sendable, Hashable {
    package var id: String
    /// How many objects went that the run had made.
    package var removed = 0
    /// How many objects have their old values again.
    package var restored = 0
    /// How many objects are back that the run had deleted.
    package var broughtBack = 0
    /// How many rows of join tables went, came back or have their old place again.
    package var links = 0

    init(id: String) { self.id = id }
}
