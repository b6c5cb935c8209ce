/// A link whose owner or destination does not exist.
package struct BrokenLink: Sendable, Hashable {
    package let owner: Int64
    package let destination: Int64
    package let lacksOwner: Bool
    package let lacksDestination: Bool

    package init(owner: Int64, destination: Int64, lacksOwner: Bool, lacksDestination: Bool) {
        self.owner = owner
        self.destination = destination
        self.lacksOwner = lacksOwner
        self.lacksDestination = lacksDestination
    }
}
