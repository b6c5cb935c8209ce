public import GranaryPredicates

/// The change of one object by one transaction. (`NSPersistentHistoryChange`)
public struct PersistentHistoryChange: Sendable, Hashable {
    /// The kind of a change. (`NSPersistentHistoryChangeType`)
    public enum Kind: Int, Sendable, Hashable {
        /// The object was inserted.
        case insert = 0
        /// The object was updated.
        case update = 1
        /// The object was deleted.
        case delete = 2
    }

    /// The change's number in its store.
    public let changeID: Int64
    /// The kind of the change.
    public let changeType: Kind
    /// The changed object.
    public internal(set) var changedObjectID: ManagedObjectID
    /// The names of the updated properties, sorted; nil if the history does not record them, and for inserts and
    /// deletions.
    public let updatedProperties: [String]?
    /// For a deletion, the values of the attributes with `preservesValueInHistoryOnDeletion`, by name, without NULL
    /// values. The name of a composite's leaf is `composite.leaf`.
    public let tombstone: [String: AttributeValue]

    package init(
        changeID: Int64, changeType: Kind, changedObjectID: ManagedObjectID, updatedProperties: [String]?,
        tombstone: [String: AttributeValue]
    ) {
        self.changeID = changeID
        self.changeType = changeType
        self.changedObjectID = changedObjectID
        self.updatedProperties = updatedProperties
        self.tombstone = tombstone
    }
}
