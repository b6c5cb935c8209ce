package import Foundation
package import GranaryModel

/// One transaction as a store's history has it; the coordinator makes a ``PersistentHistoryTransaction`` of it.
package struct StoredHistoryTransaction: Sendable, Hashable {
    /// The most changes that one call returns.
    package static let changeLimit = 1_000_000

    /// `Z_PK`: what a token remembers.
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

/// What a transaction did to one object.
package struct StoredHistoryChange: Sendable, Hashable {
    /// `Z_PK`.
    package var number: Int64
    package var kind: PersistentHistoryChange.Kind
    /// The object's concrete entity, as an index, and key.
    package var entity: Int
    package var key: Int64
    /// For an update the names of the properties, sorted; nil where the history does not tell.
    package var updated: [String]?
    /// For a deletion what the attributes held that `preservesValueInHistoryOnDeletion`.
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
    /// - Parameter objectID: the ID of an object of the store, by its entity (as an index) and key.
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
