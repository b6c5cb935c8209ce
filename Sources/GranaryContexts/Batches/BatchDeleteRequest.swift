public import GranaryBase
public import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// A request that deletes stored objects without creating them in a context. (`NSBatchDeleteRequest`)
///
/// The delete rules of the model hold: cascade deletes the related objects too, deny refuses the request. Every
/// reference to a deleted object is removed, also where the rule is no action and where the relationship has no
/// inverse; the request is refused if a relationship would then have too few objects.
public struct BatchDeleteRequest: Sendable, Hashable {
    /// The objects to delete, with order, limit and offset.
    public var fetchRequest: FetchRequest<ManagedObject>
    /// What the request returns.
    public var resultType = BatchResultType.statusOnly

    /// Creates a request for the objects that a fetch request finds in the stores.
    public init(_ fetchRequest: FetchRequest<ManagedObject>) { self.fetchRequest = fetchRequest }

    /// Creates a request for the objects with these IDs. Those that the stores do not have are ignored.
    /// (`NSBatchDeleteRequest(objectIDs:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` if there are none, if they belong to several hierarchies of
    ///   entities, or one of them is temporary.
    public init(objectIDs: [ManagedObjectID]) throws(GranaryError) {
        guard let first = objectIDs.first else {
            throw GranaryError(.usage, "a batch deletion by IDs needs at least one ID")
        }
        if let new = objectIDs.first(where: \.isTemporaryID) {
            throw GranaryError(.usage, "\(new) is not in a store yet; delete the object in its context")
        }
        let schema = first.origin.schema
        let root = schema.entities[schema.entities[first.entity].root].name
        if let other = objectIDs.first(where: { $0.predicateReference.root != first.predicateReference.root }) {
            throw GranaryError(
                .usage,
                "a batch deletion by IDs is for one hierarchy of entities: \(other.entityName) is not of \(root)'s")
        }
        fetchRequest = FetchRequest(
            root, where: .compare(.evaluatedObject, .isIn, .list(objectIDs.map { .object($0.predicateReference) })))
    }
}
