/// A place in the persistent history of one or several stores: what was before it is known.
/// (`NSPersistentHistoryToken`)
///
/// Keep it, in its `Codable` form, to ask later for what others have changed since.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
    /// For each store, by its UUID, the number of the last transaction that is known.
    public let transactionNumbers: [String: Int64]

    /// - Parameter transactionNumbers: by the stores' UUIDs; a store that is not there is not known at all.
    public init(transactionNumbers: [String: Int64]) { self.transactionNumbers = transactionNumbers }

    /// The number of the last transaction that is known of a store; 0 for none.
    package func lastTransaction(ofStore identifier: String) -> Int64 { transactionNumbers[identifier] ?? 0 }
}
