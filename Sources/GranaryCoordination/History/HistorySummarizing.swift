/// A store that counts the transactions of its persistent history, without reading their changes.
package protocol HistorySummarizing: AnyObject {
    /// Returns nil if the store has no history.
    func historySummary() throws -> HistorySummary?
}
