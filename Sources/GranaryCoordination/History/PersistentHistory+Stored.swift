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
