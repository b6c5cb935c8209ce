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
    /// Authors; an element that is nil selects transactions without an author. Nil selects all.
    public var authors: Set<String?>?
    /// Names of the saved contexts; an element that is nil selects contexts without a name. Nil selects all.
    public var contextNames: Set<String?>?
    /// Transaction numbers. Nil selects all.
    public var transactionNumbers: ClosedRange<Int64>?
    /// The entities whose changes are wanted, each with its subentities; nil for all. A transaction without any such change
    /// is left out.
    public var entityNames: Set<String>?
    /// The kinds of change that are wanted; nil for all. A transaction without any such change is left out.
    public var changeTypes: Set<PersistentHistoryChange.Kind>?

    /// A filter that selects everything.
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
