package import Foundation

/// The extent of a persistent history.
package struct HistorySummary: Sendable {
    package let transactions: Int
    package let changes: Int
    /// The times of the first and the last transaction; nil without transactions.
    package let first: Date?
    package let last: Date?
    /// The authors of transactions, at most 100, sorted.
    package let authors: [String]

    package init(transactions: Int, changes: Int, first: Date?, last: Date?, authors: [String]) {
        self.transactions = transactions
        self.changes = changes
        self.first = first
        self.last = last
        self.authors = authors
    }
}
