/// Selects transactions of the persistent history, and changes within them.
/// (`NSPersistentHistoryChangeRequest.fetchRequest`)
///
/// ```swift
/// var filter = PersistentHistoryFilter()
/// filter.authors = ["sync"]
/// filter.entityNames = ["Coffee"]
/// let news = try coordinator.fetchHistory(after: token, where: filter)
/// ```
public struct PersistentHistoryFilter: Sendable, Hashable {
    /// The authors; a nil element selects transactions without an author. Nil selects all.
    public var authors: Set<String?>?
    /// The context names; a nil element selects contexts without a name. Nil selects all.
    public var contextNames: Set<String?>?
    /// The transaction numbers. Nil selects all.
    public var transactionNumbers: ClosedRange<Int64>?
    /// The entities whose changes are selected, including subentities; nil selects all. Transactions without a selected
    /// change are left out.
    public var entityNames: Set<String>?
    /// The selected kinds of change; nil selects all. Transactions without a selected change are left out.
    public var changeTypes: Set<PersistentHistoryChange.Kind>?

    /// A filter that selects everything.
    public init() {}

    /// Returns the transaction with only the selected changes; nil if it is not selected.
    func apply(_ transaction: PersistentHistoryTransaction, entities: Set<Int>?) -> PersistentHistoryTransaction? {
        guard authors?.contains(transaction.author) ?? true, contextNames?.contains(transaction.contextName) ?? true,
            transactionNumbers?.contains(transaction.transactionNumber) ?? true
        else { return nil }
        guard entities != nil || changeTypes != nil else { return transaction }
        var result = transaction
        result.changes = transaction.changes.filter { change in
            (entities?.contains(change.changedObjectID.entity) ?? true)
                && (changeTypes?.contains(change.changeType) ?? true)
        }
        return result.changes.isEmpty ? nil : result
    }
}
