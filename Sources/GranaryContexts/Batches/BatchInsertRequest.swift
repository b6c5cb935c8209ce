import GranaryBase
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

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
