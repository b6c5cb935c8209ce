package import GranaryBase
public import GranaryModel

/// The options of a ``StoreDiff``.
public struct StoreDiffOptions: Sendable {
    /// The attributes and to-one relationships that pair objects, by the name of their entity. They also apply to
    /// subentities without an entry. The destinations of a relationship have a key without relationships.
    ///
    /// An entity without an entry uses its uniqueness constraint: the first of one attribute, or else the first of
    /// several. Without a constraint, objects are paired by `$id`. The key `["$id"]` pairs objects by `$id` although
    /// there is a constraint, so that a changed key is a difference.
    public var keys: [String: [String]] = [:]
    /// The properties that pair the objects of all entities that have them and are compared, and for which ``keys`` has
    /// no entry. Of several keys, the first that fits.
    public var sharedKeys: [[String]] = []
    /// The properties that are not compared: `"PROPERTY"` of all entities, or `"ENTITY.PROPERTY"` of an entity and its
    /// subentities.
    public var ignored: [String] = []
    /// The entities whose objects are compared, with their subentities. Empty: all entities, unless a side is an
    /// export of some entities, which limits the comparison to them. A file of one
    /// entity whose name does not name it contains objects of the only entity given here.
    public var entities: [String] = []
    /// The model of both stores, and of exports. Nil: each store is read with the model that it contains, a document
    /// with its own model or that of the other side, and other exports with the model of the other side.
    public var model: ManagedObjectModel?
    /// The number of seconds to wait for a store that is in use; nil for 5.
    public var busyTimeout: Double?
    package var cancellation: Cancellation?

    /// Creates options that pair objects by their uniqueness constraints.
    public init() {}

    var timeout: Duration { .seconds(busyTimeout ?? 5) }
}
