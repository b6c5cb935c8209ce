/// Which transactions of the persistent history are wanted, and which of their changes.
/// (`NSPersistentHistoryChangeRequest.fetchRequest`)
///
/// ```swift
/// var filter = PersistentHistoryFilter()
/// filter.authors = ["sync"]
/// filter.entityNames = ["Coffee"]
/// let news = try coordinator.fetchHistory(after: token, where: filter)
/// ```
public struct PersistentHistoryFilter: Sendable, Hashable {
    /// The authors of the transactions, nil for one without an author; nil for all.
    public var authors: Set<String?>?
    /// The names of the contexts that were saved, nil for one without a name; nil for all.
    public var contextNames: Set<String?>?
    /// The numbers of the transactions; nil for all.
    public var transactionNumbers: ClosedRange<Int64>?
    /// The entities whose changes are wanted, each with its subentities; nil for all. A transaction without any such change
    /// is left out.
    public var entityNames: Set<String>?
    /// The kinds of change that are wanted; nil for all. A transaction without any such change is left out.
    public var changeTypes: Set<PersistentHistoryChange.Kind>?

    /// A filter that lets everything through.
    public init() {}

    /// The transaction with the wanted changes alone; nil where it is not wanted.
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
