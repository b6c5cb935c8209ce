/// A position in the persistent history of one or more stores. (`NSPersistentHistoryToken`)
///
/// Store it in its `Codable` form to fetch later changes.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
    /// The number of the last known transaction of each store, by the store's UUID.
    public let transactionNumbers: [String: Int64]

    /// - Parameter transactionNumbers: by the stores' UUIDs; of a store that is missing, no transaction is known.
    public init(transactionNumbers: [String: Int64]) { self.transactionNumbers = transactionNumbers }

    /// Returns a token after these transactions too, as
    /// ``PersistentStoreCoordinator/fetchHistory(after:fromStores:where:limit:)`` returned them.
    public func advanced(past transactions: [PersistentHistoryTransaction]) -> PersistentHistoryToken {
        var numbers = transactionNumbers
        for transaction in transactions {
            numbers[transaction.storeID] = max(numbers[transaction.storeID] ?? 0, transaction.transactionNumber)
        }
        return PersistentHistoryToken(transactionNumbers: numbers)
    }

    /// Returns the later position of two tokens for each store.
    func joined(with other: PersistentHistoryToken) -> PersistentHistoryToken {
        PersistentHistoryToken(transactionNumbers: transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
    }

    /// Returns the number of the last known transaction of a store; 0 if there is none.
    package func lastTransaction(ofStore identifier: String) -> Int64 { transactionNumbers[identifier] ?? 0 }
}

/// The order of positions. It is partial: of two positions in different stores, or where one is later in one store and
/// the other in another, neither is before the other, and neither is equal. (`Comparable` would promise a total order.)
extension PersistentHistoryToken {
    /// Whether a position is before another: earlier in a store, and later in none. A store that a token does not name
    /// is at its beginning.
    public static func < (left: Self, right: Self) -> Bool { left <= right && !(right <= left) }

    /// Whether a position is not later than another in any store.
    public static func <= (left: Self, right: Self) -> Bool {
        left.transactionNumbers.allSatisfy { $0.value <= right.lastTransaction(ofStore: $0.key) }
    }

    /// Whether a position is after another.
    public static func > (left: Self, right: Self) -> Bool { right < left }

    /// Whether a position is not earlier than another in any store.
    public static func >= (left: Self, right: Self) -> Bool { right <= left }
}
