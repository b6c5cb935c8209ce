import GranaryBase
public import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The result of a batch request. (`NSBatchInsertResult` and the like)
public struct BatchResult: Sendable {
    /// Whether the request succeeded; a request that fails throws.
    public let status = true
    /// The number of objects that the request inserted, updated or deleted, without those that cascades deleted.
    public internal(set) var count = 0
    /// The IDs of these objects, if the request's result type is `objectIDs`.
    public internal(set) var objectIDs: [ManagedObjectID] = []
    /// All changes in the stores, for ``ManagedObjectContext/mergeChanges(from:into:)``, if the request's result type
    /// is `objectIDs`; otherwise none. They include the objects that cascades deleted and those that lost a reference.
    public internal(set) var changes = SaveChanges()

    init() {}

    /// Adds the result of another store.
    mutating func add(_ other: BatchResult) {
        count += other.count
        objectIDs += other.objectIDs
        changes.inserted.formUnion(other.changes.inserted)
        changes.updated.formUnion(other.changes.updated)
        changes.deleted.formUnion(other.changes.deleted)
        guard let token = other.changes.historyToken else { return }
        let numbers = changes.historyToken?.transactionNumbers ?? [:]
        changes.historyToken = PersistentHistoryToken(
            transactionNumbers: numbers.merging(token.transactionNumbers) { max($0, $1) })
    }
}

extension BatchResult: CustomStringConvertible {
    /// The number of objects that the request inserted, updated or deleted: `3 objects`.
    public var description: String { CountText.count(count, "object") }
}
