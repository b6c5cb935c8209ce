public import Foundation
import GranaryModel
public import GranaryPredicates

/// Selects transactions of the persistent history, and changes within them. All conditions must be true.
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
    /// The times at which the transactions were written. Nil selects all.
    public var timestamps: ClosedRange<Date>?
    /// A condition on transactions; nil selects all. Its properties are those of ``PersistentHistoryTransaction``:
    /// `author`, `bundleID`, `changes`, `contextName`, `processID`, `storeID`, `timestamp` and `transactionNumber`.
    /// Those of their changes can follow: `ANY changes.changeType == 2`.
    public var predicate: ObjectPredicate?

    /// The entities whose changes are selected; nil selects all. Transactions without a selected change are left out.
    public var entityNames: Set<String>?
    /// Whether the changes of subentities of ``entityNames`` are selected too.
    public var includesSubentities = false
    /// The objects whose changes are selected; nil selects all. Transactions without a selected change are left out.
    public var changedObjectIDs: Set<ManagedObjectID>?
    /// The selected kinds of change; nil selects all. Transactions without a selected change are left out.
    public var changeTypes: Set<PersistentHistoryChange.Kind>?
    /// A condition on changes; nil selects all. Transactions without a selected change are left out. Its properties are
    /// `changeID`, `changeType` (0, 1 and 2), `changedEntity` (its name), `changedObjectID`, `transaction`,
    /// `tombstone` with the names of the kept attributes (`tombstone.email`), and `updatedProperties`, the list of
    /// their names.
    public var changePredicate: ObjectPredicate?

    /// A filter that selects everything.
    public init() {}

    /// Whether changes are selected one by one.
    var selectsChanges: Bool {
        entityNames != nil || changedObjectIDs != nil || changeTypes != nil || changePredicate != nil
    }
}
