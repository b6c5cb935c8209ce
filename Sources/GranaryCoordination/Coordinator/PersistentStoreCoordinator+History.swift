public import Foundation
public import GranaryBase
import GranaryModel

extension PersistentStoreCoordinator {
    private static let historyBatch = 100

    /// Returns the transactions after a token, from all writers, oldest first, one store after the other. A store
    /// without a history contributes none. (`NSPersistentHistoryChangeRequest.fetchHistory(after:)`)
    ///
    /// ```swift
    /// let news = try coordinator.fetchHistory(after: token)
    /// token = token.advanced(past: news)
    /// ```
    ///
    /// - Parameters:
    ///   - token: the position after which to read; nil, and stores that the token does not name, mean from the
    ///     beginning.
    ///   - stores: the stores to read; nil for all.
    ///   - filter: selects transactions and changes; nil for all. The token of the last transaction returned may
    ///     precede transactions that the filter excludes.
    ///   - limit: the maximum number of transactions; nil for all. Fewer are returned if they would have more than
    ///     1,000,000 changes: repeat the call with the new token until it returns none.
    /// - Throws: ``GranaryError``: `refused` with `history.expired` (134301) if transactions after the token were
    ///   removed, with `limit.exceeded` if there are more than 1,000,000 changes and no `limit`, and for an unknown
    ///   entity; `usage` for an invalid predicate and a store of another coordinator; any error from reading.
    public func fetchHistory(
        after token: PersistentHistoryToken? = nil, fromStores stores: [PersistentStore]? = nil,
        where filter: PersistentHistoryFilter? = nil, limit: Int? = nil
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        var found: [PersistentHistoryTransaction] = []
        var changes = 0
        let limit = limit ?? .max
        try forEachTransaction(after: token, stores, filter, wanted: { limit - found.count }) {
            (transaction) throws(GranaryError) -> Bool in
            changes += transaction.changes.count
            guard changes <= PersistentHistoryTransaction.changeLimit else {
                guard limit == .max else { return false }
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded,
                        "the history has more than \(PersistentHistoryTransaction.changeLimit) changes; "
                            + "pass a limit to read it in parts"))
            }
            found.append(transaction)
            return true
        }
        return found
    }

    /// Returns the transactions after a token without their changes, and with a limit for their number only.
    /// (`NSPersistentHistoryResultType.transactionsOnly`)
    ///
    /// - Throws: as ``fetchHistory(after:fromStores:where:limit:)``.
    public func fetchHistoryTransactions(
        after token: PersistentHistoryToken? = nil, fromStores stores: [PersistentStore]? = nil,
        where filter: PersistentHistoryFilter? = nil, limit: Int? = nil
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        var found: [PersistentHistoryTransaction] = []
        let limit = limit ?? .max
        try forEachTransaction(after: token, stores, filter, wanted: { limit - found.count }) {
            (transaction) throws(GranaryError) -> Bool in
            var header = transaction
            header.changes = []
            found.append(header)
            return true
        }
        return found
    }

    /// Returns the IDs of the objects that were changed after a token, each once, in the order of their first changes.
    /// (`NSPersistentHistoryResultType.objectIDs`)
    ///
    /// - Throws: as ``fetchHistory(after:fromStores:where:limit:)``.
    public func fetchHistoryObjectIDs(
        after token: PersistentHistoryToken? = nil, fromStores stores: [PersistentStore]? = nil,
        where filter: PersistentHistoryFilter? = nil
    ) throws(GranaryError) -> [ManagedObjectID] {
        var found: [ManagedObjectID] = []
        var known: Set<ManagedObjectID> = []
        try forEachTransaction(after: token, stores, filter) { transaction in
            for change in transaction.changes where known.insert(change.changedObjectID).inserted {
                found.append(change.changedObjectID)
            }
            return true
        }
        return found
    }

    /// Returns the number of transactions after a token, and of their changes that the filter selects.
    /// (`NSPersistentHistoryResultType.count`)
    ///
    /// - Throws: as ``fetchHistory(after:fromStores:where:limit:)``.
    public func countHistory(
        after token: PersistentHistoryToken? = nil, fromStores stores: [PersistentStore]? = nil,
        where filter: PersistentHistoryFilter? = nil
    ) throws(GranaryError) -> (transactions: Int, changes: Int) {
        var count = (transactions: 0, changes: 0)
        try forEachTransaction(after: token, stores, filter) { transaction in
            count = (count.transactions + 1, count.changes + transaction.changes.count)
            return true
        }
        return count
    }

    /// Calls `body` with the selected transactions, of which a batch is in memory at a time.
    ///
    /// - Parameters:
    ///   - wanted: returns how many more transactions are wanted.
    ///   - body: returns false to stop.
    private func forEachTransaction(
        after token: PersistentHistoryToken?, _ stores: [PersistentStore]?, _ filter: PersistentHistoryFilter?,
        wanted: () -> Int = { .max },
        _ body: (PersistentHistoryTransaction) throws(GranaryError) -> Bool
    ) throws(GranaryError) {
        let selection = try filter.map { (filter) throws(GranaryError) in try HistorySelection(filter, self) }
        for store in try known(stores) {
            var number = token?.lastTransaction(ofStore: store.identifier) ?? 0
            while true {
                let rest = wanted()
                guard rest > 0 else { return }
                // The number of transactions that match a filter is not known in advance.
                let batch = try store.historyTransactions(
                    after: number, limit: filter == nil ? min(Self.historyBatch, rest) : Self.historyBatch)
                guard let last = batch.last else { break }
                number = last.transactionNumber
                for transaction in batch {
                    guard wanted() > 0 else { return }
                    guard let selection else {
                        guard try body(transaction) else { return }
                        continue
                    }
                    if let found = try selection.apply(transaction), try !body(found) { return }
                }
            }
        }
    }

    /// Returns the position after the last transaction of the stores; nil if no store has a history.
    /// (`currentPersistentHistoryToken(fromStores:)`)
    ///
    /// - Parameter stores: the stores of the token; nil for all.
    /// - Throws: ``GranaryError``: `usage` for a store of another coordinator; any error from reading.
    public func currentPersistentHistoryToken(
        fromStores stores: [PersistentStore]? = nil
    ) throws(GranaryError) -> PersistentHistoryToken? {
        var numbers: [String: Int64] = [:]
        for store in try known(stores) {
            let number = try converting { try store.withLock { store in try store.lastHistoryTransaction() } }
            if let number { numbers[store.identifier] = number }
        }
        return numbers.isEmpty ? nil : PersistentHistoryToken(transactionNumbers: numbers)
    }

    /// Removes the transactions before a token; the last transaction of the token is kept. Stores that the token does
    /// not name, and read-only stores, are skipped. (`deleteHistory(before:)`)
    ///
    /// - Returns: how many transactions were removed.
    /// - Throws: ``GranaryError``; transactions already removed from other stores stay removed.
    @discardableResult
    public func deleteHistory(
        before token: PersistentHistoryToken, fromStores stores: [PersistentStore]? = nil
    ) throws(GranaryError) -> Int {
        var count = 0
        for store in try known(stores) where !store.isReadOnly {
            let number = token.lastTransaction(ofStore: store.identifier)
            guard number > 0 else { continue }
            count += try converting { try store.withLock { store in try store.deleteHistory(before: number) } }
        }
        return count
    }

    /// Removes the transactions older than a date; read-only stores are skipped. (`deleteHistory(before:)`)
    ///
    /// - Returns: how many transactions were removed.
    /// - Throws: ``GranaryError``; transactions already removed from other stores stay removed.
    @discardableResult
    public func deleteHistory(
        before date: Date, fromStores stores: [PersistentStore]? = nil
    ) throws(GranaryError) -> Int {
        var count = 0
        for store in try known(stores) where !store.isReadOnly {
            count += try converting { try store.withLock { store in try store.deleteHistory(before: date) } }
        }
        return count
    }

    private func known(_ stores: [PersistentStore]?) throws(GranaryError) -> [PersistentStore] {
        let all = persistentStores
        guard let stores else { return all }
        for store in stores where !all.contains(where: { $0 === store }) {
            throw GranaryError(.usage, "the store \(store.identifier) does not belong to this coordinator")
        }
        return stores
    }
}

extension PersistentStore {
    /// Returns an empty array if the store has no history.
    fileprivate func historyTransactions(
        after number: Int64, limit: Int
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        try converting {
            try withLock { store in
                guard try store.lastHistoryTransaction() != nil else { return [] }
                return try store.historyTransactions(after: number, limit: limit, of: identity)
            }
        }
    }
}
