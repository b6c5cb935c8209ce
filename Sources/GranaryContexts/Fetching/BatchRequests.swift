public import GranaryBase
public import GranaryCoordination
public import GranaryModel

/// What a batch request returns. (`NSBatchInsertRequestResultType` and the like)
public enum BatchResultType: Int, Sendable, Hashable {
    /// Only whether the request succeeded. ``BatchResult/changes`` is empty, so contexts cannot be updated with it.
    case statusOnly = 0
    /// The IDs of the objects, and all changes for merging. They are kept in memory.
    case objectIDs = 1
    /// The number of objects. ``BatchResult/changes`` is empty, so merging it updates no context.
    case count = 2
}

/// A request that inserts objects into a store without creating them in a context. (`NSBatchInsertRequest`)
///
/// ```swift
/// let request = BatchInsertRequest("Coffee", objects: [["name": "Sumatra"], ["name": "Java", "strength": nil]])
/// let count = try context.execute(request).count
/// ```
/// The model's rules and uniqueness constraints hold. An attribute that is missing from a dictionary takes the model's
/// default value, and one whose value is nil is NULL; to set it in an existing dictionary, write
/// `attributes["strength"] = .null`, because `= nil` removes it. Relationships cannot be set. Methods of
/// ``ManagedObject`` subclasses are not called.
public struct BatchInsertRequest: Sendable {
    /// The attributes of an object by their names.
    public typealias Attributes = [String: AttributeValue?]

    /// The entity of the objects.
    public var entityName: String
    /// What the request returns.
    public var resultType = BatchResultType.statusOnly
    /// The UUIDs of the stores to choose from: the first writable one that holds the entity is used. Nil for all.
    public var affectedStores: [String]?
    /// Starts a run over the objects, which gives the attributes of one object after the other, and nil at the end.
    let start: @Sendable () -> () throws -> Attributes?

    /// Creates a request for objects with these attributes. A sequence that makes them one at a time is not kept in
    /// memory.
    public init<Objects: Sequence & Sendable>(_ entityName: String, objects: Objects)
    where Objects.Element == Attributes {
        self.entityName = entityName
        start = {
            var rest = objects.makeIterator()
            return { rest.next() }
        }
    }

    /// Creates a request for objects with these attributes.
    public init(_ entityName: String, objects: [Attributes]) {
        self.entityName = entityName
        start = {
            var rest = objects[...]
            return { rest.popFirst() }
        }
    }

    /// Creates a request whose objects are made one at a time, so that they need not all be in memory.
    ///
    /// ```swift
    /// BatchInsertRequest("Coffee", state: 0) { number, attributes in
    ///     guard number < 1_000_000 else { return true }
    ///     attributes["number"] = .integer(Int64(number))
    ///     number += 1
    ///     return false
    /// }
    /// ```
    /// - Parameters:
    ///   - state: what the handler keeps between its calls. Each execution of the request begins with it.
    ///   - dictionaryHandler: fills the attributes of the next object and returns false; returns true if there are no
    ///     more objects. It must not use contexts of the container.
    public init<State: Sendable>(
        _ entityName: String, state: State,
        dictionaryHandler: @escaping @Sendable (_ state: inout State, _ attributes: inout Attributes) throws -> Bool
    ) {
        self.entityName = entityName
        start = {
            var state = state
            return {
                var attributes: Attributes = [:]
                return try dictionaryHandler(&state, &attributes) ? nil : attributes
            }
        }
    }

    /// Creates a request whose objects are made one at a time, by a handler without a state of its own.
    /// (``init(_:state:dictionaryHandler:)``)
    public init(
        _ entityName: String, dictionaryHandler: @escaping @Sendable (inout Attributes) throws -> Bool
    ) {
        self.init(entityName, state: ()) { try dictionaryHandler(&$1) }
    }
}

extension Optional where Wrapped == AttributeValue {
    /// NULL, for dictionaries of a ``BatchInsertRequest``: `attributes["strength"] = .null`.
    public static var null: Self { .none }
}

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
    /// - Throws: ``GranaryError`` with code `usage` if there are none, if they belong to several hierarchies of entities,
    ///   or one of them is temporary.
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
