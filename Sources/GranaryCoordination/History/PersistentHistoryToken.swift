/// A place in the persistent history of one or several stores: what was before it is known.
/// (`NSPersistentHistoryToken`)
///
/// Keep it, in its `Codable` form, to ask later for what others have changed since.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
    /// For each store, by its UUID, the number of the last transaction that is known.
    public let transactionNumbers: [String: Int64]

    /// - Parameter transactionNumbers: by the stores' UUIDs; a store that is not there is not known at all.
    public init(transactionNumbers: [String: Int64]) { self.transactionNumbers = transactionNumbers }

    /// The token of who knows these transactions, too: what follows on ``PersistentStoreCoordinator/fetchHistory(after:fromStores:limit:)``.
    public func advanced(past transactions: [PersistentHistoryTransaction]) -> PersistentHistoryToken {
        var numbers = transactionNumbers
        for transaction in transactions {
            numbers[transaction.storeID] = max(numbers[transaction.storeID] ?? 0, transaction.transactionNumber)
        }
        return PersistentHistoryToken(transactionNumbers: numbers)
    }

    /// The later of two tokens, store by store.
    func joined(with other: PersistentHistoryToken) -> PersistentHistoryToken {
        PersistentHistoryToken(transactionNumbers: transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
    }

    /// The number of the last transaction that is known of a store; 0 for none.
    package func lastTransaction(ofStore identifier: String) -> Int64 { transactionNumbers[identifier] ?? 0 }
}
