package import GranaryBase

/// A store whose persistent history is in tables: transactions, and the changes of each.
///
/// ``readHistory(after:limit:of:)`` reads them with a bound on memory, and says which are missing.
package protocol HistoryReading: StoreBackend {
    /// The store in messages.
    var historySource: String { get }

    /// The number of the first transaction that was not removed; nil if there is none.
    func firstHistoryTransaction() throws -> Int64?

    /// The transactions after a number without their changes. Each has a copy of its texts, so their length is limited.
    func historyHeaders(after number: Int64, limit: Int) throws -> [PersistentHistoryTransaction]

    func changeCount(of transaction: Int64) throws -> Int

    /// Changes of entities that the model lacks, from before a migration, are left out.
    func historyChanges(of transaction: Int64, _ identity: StoreIdentity) throws -> [PersistentHistoryChange]
}

extension HistoryReading {
    /// Returns the transactions after a number, oldest first, with their changes.
    ///
    /// The result has at most `limit` transactions, and fewer if they would have more than
    /// ``PersistentHistoryTransaction/changeLimit`` changes in total. To read all, call again with the last number
    /// until the result is empty.
    ///
    /// - Parameter number: the number of the last known transaction; 0 for all transactions in the store.
    /// - Throws: ``GranaryError``: `refused` with `history.expired` if transactions after the number were removed, or
    ///   the store never had the transaction (another copy of the store may); `refused` with `limit.exceeded` if a
    ///   single transaction has more than ``PersistentHistoryTransaction/changeLimit`` changes; `usage` without a
    ///   history.
    package func readHistory(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        try converting {
            try reading {
                try checkHistory(reachesBackTo: number)
                var room = PersistentHistoryTransaction.changeLimit
                var found: [PersistentHistoryTransaction] = []
                for header in try historyHeaders(after: number, limit: limit) {
                    var transaction = header
                    let count = try changeCount(of: header.transactionNumber)
                    guard count <= room else {
                        guard found.isEmpty else { break }
                        throw GranaryError(
                            Diagnostic(
                                .limitExceeded,
                                "\(historySource): transaction \(header.transactionNumber) has \(count) changes, and the "
                                    + "limit is \(PersistentHistoryTransaction.changeLimit)"))
                    }
                    room -= count
                    transaction.changes = try historyChanges(of: header.transactionNumber, identity)
                    found.append(transaction)
                }
                return found
            }
        }
    }

    /// Checks that the history after a number is complete.
    ///
    /// Numbers may have gaps: a transaction that Core Data rolls back uses one. So a number counts as removed only if
    /// all remaining transactions are later.
    private func checkHistory(reachesBackTo number: Int64) throws {
        guard let last = try lastHistoryTransaction() else {
            throw GranaryError(.usage, "\(historySource): the store has no persistent history")
        }
        guard number > 0 else { return }
        let first = try firstHistoryTransaction() ?? Int64.max
        guard number > last || (number < last && number + 1 < first) else { return }
        throw GranaryError(
            Diagnostic(
                .historyExpired,
                number > last
                    ? "\(historySource): the token is for transaction \(number), but the store's last transaction is \(last)"
                    : "\(historySource): the transactions after \(number) were removed from the persistent history; treat all "
                        + "objects as changed",
                coreDataCode: 134_301))
    }
}
