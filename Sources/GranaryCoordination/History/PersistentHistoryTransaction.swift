public import Foundation
public import GranaryModel

/// One save or import as the persistent history remembers it. (`NSPersistentHistoryTransaction`)
public struct PersistentHistoryTransaction: Sendable, Hashable {
    /// Its number in its store: higher than those of all before it.
    public let transactionNumber: Int64
    /// The UUID of the store.
    public let storeID: String
    /// When it was written.
    public let timestamp: Date
    /// Who wrote it, as the context's `transactionAuthor` said.
    public let author: String?
    /// The name of the context that was saved.
    public let contextName: String?
    /// The bundle identifier of the app that wrote it.
    public let bundleID: String?
    /// The name of the process that wrote it.
    public let processID: String?
    /// What it did, an entry for each object.
    public internal(set) var changes: [PersistentHistoryChange]

    /// The place in the history right behind it.
    public var token: PersistentHistoryToken {
        PersistentHistoryToken(transactionNumbers: [storeID: transactionNumber])
    }
}

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
