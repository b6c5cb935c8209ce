import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// A request that sets attributes of stored objects without creating them in a context. (`NSBatchUpdateRequest`)
///
/// ```swift
/// let request = BatchUpdateRequest(
///     "Car", where: try ObjectPredicate("maker == 'FIAT'"), propertiesToUpdate: ["maker": .constant("FCA")])
/// let ids = try context.execute(request).objectIDs
/// ```
/// The model's rules for these attributes and the uniqueness constraints hold.
public struct BatchUpdateRequest: Sendable, Hashable {
    /// The entity of the objects.
    public var entityName: String
    /// The objects to update; nil for all.
    public var predicate: ObjectPredicate?
    /// The new values by the names of attributes, as expressions on the stored object: `price * 2`.
    public var propertiesToUpdate: [String: ObjectExpression]
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// What the request returns.
    public var resultType = BatchResultType.statusOnly
    /// The UUIDs of the stores to update; nil for all.
    public var affectedStores: [String]?

    /// Creates a request.
    public init(
        _ entityName: String, where predicate: ObjectPredicate? = nil, propertiesToUpdate: [String: ObjectExpression]
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.propertiesToUpdate = propertiesToUpdate
    }
}
