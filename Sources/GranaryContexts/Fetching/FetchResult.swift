public import GranaryCoordination

/// The result of `ManagedObjectContext.execute(_:)`.
public enum FetchResult<Object: ManagedObject> {
    /// The objects of a request with the result type `managedObjects`.
    case objects([Object])
    /// The IDs of a request with the result type `managedObjectIDs`.
    case objectIDs([ManagedObjectID])
    /// The rows of a request with the result type `dictionaries`.
    case dictionaries([FetchedRow])
    /// The number of results of a request with the result type `count`.
    case count(Int)
}
