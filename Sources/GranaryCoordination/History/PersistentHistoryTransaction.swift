public import Foundation

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
