package import Foundation
package import GranaryModel

/// A transaction as a store reads it from its history; the coordinator converts it to a
/// ``PersistentHistoryTransaction``.
package struct StoredHistoryTransaction: Sendable, Hashable {
    /// The maximum number of changes that one call returns.
    package static let changeLimit = 1_000_000

    /// `Z_PK`, the number in tokens.
    package var number: Int64
    package var timestamp: Date
    package var author: String?
    package var contextName: String?
    package var bundleID: String?
    package var processID: String?
    package var changes: [StoredHistoryChange] = []

    package init(
        number: Int64, timestamp: Date, author: String? = nil, contextName: String? = nil, bundleID: String? = nil,
        processID: String? = nil, changes: [StoredHistoryChange] = []
    ) {
        self.number = number
        self.timestamp = timestamp
        self.author = author
        self.contextName = contextName
        self.bundleID = bundleID
        self.processID = processID
        self.changes = changes
    }
}

/// The change of one object by a transaction.
package struct StoredHistoryChange: Sendable, Hashable {
    /// `Z_PK`.
    package var number: Int64
    package var kind: PersistentHistoryChange.Kind
    /// The index of the object's concrete entity, and its key.
    package var entity: Int
    package var key: Int64
    /// For an update, the sorted names of the properties; nil if the history does not record them.
    package var updated: [String]?
    /// For a deletion, the values of the attributes with `preservesValueInHistoryOnDeletion`.
    package var tombstone: [String: AttributeValue]

    package init(
        number: Int64, kind: PersistentHistoryChange.Kind, entity: Int, key: Int64, updated: [String]? = nil,
        tombstone: [String: AttributeValue]
    ) {
        self.number = number
        self.kind = kind
        self.entity = entity
        self.key = key
        self.updated = updated
        self.tombstone = tombstone
    }
}

extension PersistentHistoryTransaction {
    /// - Parameter objectID: returns the ID of an object of the store by its entity index and key.
    package init(
        _ stored: StoredHistoryTransaction, storeID: String, objectID: (_ entity: Int, _ key: Int64) -> ManagedObjectID
    ) {
        transactionNumber = stored.number
        self.storeID = storeID
        timestamp = stored.timestamp
        author = stored.author
        contextName = stored.contextName
        bundleID = stored.bundleID
        processID = stored.processID
        changes = stored.changes.map { change in
            PersistentHistoryChange(
                changeID: change.number, changeType: change.kind,
                changedObjectID: objectID(change.entity, change.key), updatedProperties: change.updated,
                tombstone: change.tombstone)
        }
    }
}
