import GranaryBase
import GranaryModel

/// Maps the IDs of objects to their IDs in the store that they were migrated to.
///
/// The keys do not change, but the store's UUID does, so old IDs are no longer valid.
public struct ObjectIDMapping: Sendable {
    /// The UUID of the old store.
    public var sourceIdentifier: String { source.identifier }
    /// The UUID of the new store.
    public var destinationIdentifier: String { destination.identifier }

    private let source: StoreIdentity
    private let destination: StoreIdentity

    init(from source: StoreIdentity, to destination: StoreIdentity) {
        self.source = source
        self.destination = destination
    }

    /// Returns the new ID of an object; nil if the ID does not belong to the old store. It does not check whether the
    /// object exists.
    public func objectID(for id: ManagedObjectID) -> ManagedObjectID? {
        guard id.storeIdentifier == sourceIdentifier, id.origin.schema.checksum == destination.schema.checksum else {
            return nil
        }
        return ManagedObjectID(origin: destination, entity: id.entity, reference: id.reference)
    }
}
