/// A reference to a stored or new object, as predicates hold it: an object's ID without its store.
/// `ManagedObjectID.predicateReference` makes one.
public struct ObjectReference: Sendable, Hashable {
    /// The key of a stored object, or the number of a new one.
    package enum Key: Sendable, Hashable, Codable {
        case stored(Int64)
        case temporary(String)
    }

    /// The UUID of the store; empty for a new object.
    package let store: String
    /// The root of the entity's hierarchy: keys are unique within it.
    package let root: String
    package let key: Key
    /// The URI of the ID.
    public let uri: String

    package init(store: String, root: String, key: Key, uri: String) {
        self.store = store
        self.root = root
        self.key = key
        self.uri = uri
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.root == right.root && left.store == right.store
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ObjectReference: Codable {}
