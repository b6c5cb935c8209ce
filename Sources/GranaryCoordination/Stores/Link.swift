import GranaryBase
import GranaryModel

/// One link of a to-many relationship.
package struct Link: Sendable, Hashable {
    package var owner: Int64
    /// The index of the destination's concrete entity, and its key.
    package var entity: Int
    package var destination: Int64

    package init(owner: Int64, entity: Int, destination: Int64) {
        self.owner = owner
        self.entity = entity
        self.destination = destination
    }
}
