import GranaryModel

/// How the objects of a store are called in the store that they were moved to.
///
/// Their keys are the same, and the store's UUID is another, so an ID from before names nothing any more.
public struct StoreMigration: Sendable {
    /// The UUID of the store that they came from.
    public var sourceIdentifier: String { source.identifier }
    /// The UUID of the store that they are in.
    public var destinationIdentifier: String { destination.identifier }

    private let source: StoreIdentity
    private let destination: StoreIdentity

    init(from source: StoreIdentity, to destination: StoreIdentity) {
        self.source = source
        self.destination = destination
    }

    /// The ID that an object has now; nil for an ID that is none of the old store's. That there was such an object is
    /// not checked.
    public func objectID(for id: ManagedObjectID) -> ManagedObjectID? {
        guard id.storeIdentifier == sourceIdentifier, id.origin.schema.checksum == destination.schema.checksum else {
            return nil
        }
        return ManagedObjectID(origin: destination, entity: id.entity, reference: id.reference)
    }
}
