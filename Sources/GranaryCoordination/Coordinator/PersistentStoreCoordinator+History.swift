public import Foundation
public import GranaryBase
import GranaryModel

extension PersistentStoreCoordinator {
    private static let historyBatch = 100

    /// What was written into the stores since a token, by whomever: oldest first, one store after the other. A store
    /// without a history gives nothing. (`NSPersistentHistoryChangeRequest.fetchHistory(after:)`)
    ///
    /// ```swift
    /// let news = try coordinator.fetchHistory(after: token)
    /// token = token.advanced(past: news)
    /// ```
    ///
    /// - Parameters:
    ///   - token: what is known; nil for nothing. A store that it does not name is not known at all.
    ///   - stores: those to look into; nil for all.
    ///   - filter: selects transactions and changes; nil for all. The token of the last transaction returned may precede
    ///     transactions that the filter left out.
    ///   - limit: how many transactions at most. Fewer come also when they would have more than 1,000,000 changes: go on
    ///     from there until none come. Nil for all.
    /// - Throws: ``GranaryError``: `refused` with `history.expired` (134301) when transactions after the token were
    ///   removed, with `limit.exceeded` when there are more than 1,000,000 changes and no `limit` was given; `usage` for
    ///   a store of another coordinator; `refused` for an entity that the model does not have; what reading throws.
    public func fetchHistory(
        after token: PersistentHistoryToken? = nil, fromStores stores: [AttachedStore]? = nil,
        where filter: PersistentHistoryFilter? = nil, limit: Int? = nil
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        var found: [PersistentHistoryTransaction] = []
        var changes = 0
        var entities: Set<Int>?
        if let names = filter?.entityNames {
            entities = []
            for name in names { entities?.formUnion(try entity(named: name).family) }
        }
        for store in try known(stores) {
            var number = token?.lastTransaction(ofStore: store.identifier) ?? 0
            while true {
                let wanted = (limit ?? .max) - found.count
                guard wanted > 0 else { return found }
                // The number of transactions that match a filter is not known in advance.
                let batch = try store.historyTransactions(
                    after: number, limit: filter == nil ? min(Self.historyBatch, wanted) : Self.historyBatch)
                guard let last = batch.last else { break }
                number = last.transactionNumber
                let fitting = batch.compactMap { filter == nil ? $0 : filter?.apply($0, entities: entities) }
                for transaction in fitting.prefix(wanted) {
                    changes += transaction.changes.count
                    guard changes <= StoredHistoryTransaction.changeLimit else {
                        guard limit == nil else { return found }
                        throw GranaryError(
                            Diagnostic(
                                .limitExceeded,
                                "the history has more than \(StoredHistoryTransaction.changeLimit) changes; ask for it with a "
                                    + "limit, a part at a time"))
                    }
                    found.append(transaction)
                }
            }
        }
        return found
    }

    /// The place right behind all that the stores' histories hold; nil where no store has one.
    /// (`currentPersistentHistoryToken(fromStores:)`)
    ///
    /// - Parameter stores: those that it is about; nil for all.
    /// - Throws: ``GranaryError``: `usage` for a store of another coordinator; what reading throws.
    public func currentPersistentHistoryToken(
        fromStores stores: [AttachedStore]? = nil
    ) throws(GranaryError) -> PersistentHistoryToken? {
        var numbers: [String: Int64] = [:]
        for store in try known(stores) {
            if let number = try store.lastHistoryTransaction() { numbers[store.identifier] = number }
        }
        return numbers.isEmpty ? nil : PersistentHistoryToken(transactionNumbers: numbers)
    }

    /// Removes the transactions before a token; the token's own stay. Stores that it does not name, and read-only ones,
    /// are left alone. (`deleteHistory(before:)`)
    ///
    /// - Returns: how many transactions were removed.
    /// - Throws: ``GranaryError``; what was removed from the stores before stays removed.
    @discardableResult
    public func deleteHistory(
        before token: PersistentHistoryToken, fromStores stores: [AttachedStore]? = nil
    ) throws(GranaryError) -> Int {
        var count = 0
        for store in try known(stores) where !store.isReadOnly {
            let number = token.lastTransaction(ofStore: store.identifier)
            if number > 0 { count += try store.deleteHistory(before: number) }
        }
        return count
    }

    /// Removes the transactions that are older than a date; read-only stores are left alone. (`deleteHistory(before:)`)
    ///
    /// - Returns: how many transactions were removed.
    /// - Throws: ``GranaryError``; what was removed from the stores before stays removed.
    @discardableResult
    public func deleteHistory(
        before date: Date, fromStores stores: [AttachedStore]? = nil
    ) throws(GranaryError) -> Int {
        var count = 0
        for store in try known(stores) where !store.isReadOnly { count += try store.deleteHistory(before: date) }
        return count
    }

    private func known(_ stores: [AttachedStore]?) throws(GranaryError) -> [AttachedStore] {
        let all = attachedStores
        guard let stores else { return all }
        for store in stores where !all.contains(where: { $0 === store }) {
            throw GranaryError(.usage, "the store \(store.identifier) is not one of this coordinator")
        }
        return stores
    }
}

extension AttachedStore {
    fileprivate func lastHistoryTransaction() throws(GranaryError) -> Int64? {
        try converting { try withLock { store in try store.lastHistoryTransaction() } }
    }

    /// None where the store has no history.
    fileprivate func historyTransactions(
        after number: Int64, limit: Int
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        let stored: [StoredHistoryTransaction] = try converting {
            try withLock { store in
                guard try store.lastHistoryTransaction() != nil else { return [] }
                return try store.historyTransactions(after: number, limit: limit)
            }
        }
        return stored.map { transaction in
            PersistentHistoryTransaction(transaction, storeID: identifier) { entity, key in
                ManagedObjectID(origin: identity, entity: entity, reference: .stored(key))
            }
        }
    }

    fileprivate func deleteHistory(before number: Int64) throws(GranaryError) -> Int {
        try converting { try withLock { store in try store.deleteHistory(before: number) } }
    }

    fileprivate func deleteHistory(before date: Date) throws(GranaryError) -> Int {
        try converting { try withLock { store in try store.deleteHistory(before: date) } }
    }
}
