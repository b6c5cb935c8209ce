public import GranaryModel

/// What one transaction did to one object. (`NSPersistentHistoryChange`)
public struct PersistentHistoryChange: Sendable, Hashable {
    /// What was done. (`NSPersistentHistoryChangeType`)
    public enum Kind: Int, Sendable, Hashable {
        /// The object was inserted.
        case insert = 0
        /// Some of its properties were changed.
        case update = 1
        /// It was deleted.
        case delete = 2
    }

    /// Its number in its store.
    public let changeID: Int64
    /// What was done.
    public let changeType: Kind
    /// The object.
    public let changedObjectID: ManagedObjectID
    /// For an update the names of the changed properties, sorted; nil where the history does not tell, and for the
    /// other kinds.
    public let updatedProperties: [String]?
    /// For a deletion the values of the attributes whose `preservesValueInHistoryOnDeletion` is set, by name; those
    /// that were NULL are not there. A composite's leaf is `composite.leaf`.
    public let tombstone: [String: AttributeValue]
}
