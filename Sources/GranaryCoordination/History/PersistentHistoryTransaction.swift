public import Foundation
import GranaryModel
import GranaryPredicates

/// One save or import in the persistent history. (`NSPersistentHistoryTransaction`)
public struct PersistentHistoryTransaction: Sendable, Hashable {
    /// The maximum number of changes that one call returns.
    package static let changeLimit = 1_000_000

    /// The transaction's number in its store. Later transactions have higher numbers.
    public let transactionNumber: Int64
    /// The UUID of the store.
    public let storeID: String
    /// When it was written.
    public let timestamp: Date
    /// The `transactionAuthor` of the context that was saved.
    public let author: String?
    /// The name of the context that was saved.
    public let contextName: String?
    /// The bundle identifier of the app that wrote it.
    public let bundleID: String?
    /// The name of the process that wrote it.
    public let processID: String?
    /// The changes, one for each object.
    public package(set) var changes: [PersistentHistoryChange] = []

    package init(
        transactionNumber: Int64, storeID: String, timestamp: Date, author: String?, contextName: String?,
        bundleID: String?, processID: String?
    ) {
        self.transactionNumber = transactionNumber
        self.storeID = storeID
        self.timestamp = timestamp
        self.author = author
        self.contextName = contextName
        self.bundleID = bundleID
        self.processID = processID
    }

    /// The position in the history after this transaction.
    public var token: PersistentHistoryToken {
        PersistentHistoryToken(transactionNumbers: [storeID: transactionNumber])
    }

    /// The changes in the form that contexts merge. (`objectIDNotification()`)
    ///
    /// ```swift
    /// for transaction in try coordinator.fetchHistory(after: token) {
    ///     try context.mergeChanges(from: transaction.saveChanges)
    /// }
    /// ```
    public var saveChanges: SaveChanges {
        var result = SaveChanges()
        for change in changes {
            switch change.changeType {
            case .insert: result.inserted.insert(change.changedObjectID)
            case .update: result.updated.insert(change.changedObjectID)
            case .delete: result.deleted.insert(change.changedObjectID)
            }
        }
        result.historyToken = token
        return result
    }
}
