package import GranaryBase
package import GranaryCoordination

extension PostgreSQLStores {
    /// Reverts a run, with the model in the store.
    ///
    /// - Parameter run: the run; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``, as ``RevertingStore/revert(run:)``; also `unreadable` if there is no store, or no run
    ///   can be reverted.
    package static func revert(
        _ text: String, run: String? = nil, timeout: Duration = .seconds(5), cancellation: Cancellation? = nil
    ) throws(GranaryError) -> RevertedRun {
        #if PostgreSQL
            return try converting {
                try Cancellation.$current.withValue(cancellation ?? .current) {
                    let store = try StorePlace(text, timeout: timeout).open(schema: nil)
                    return try store.revert(run: try store.runs().runToRevert(run, of: store.source))
                }
            }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// The runs of a store, which is not changed.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` if there is no store.
    package static func runs(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError) -> StoreRuns {
        #if PostgreSQL
            return try converting { try StorePlace(text, timeout: timeout).open(schema: nil, readOnly: true).runs() }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Removes the data of all runs that can be reverted but the newest ones.
    ///
    /// - Parameter count: the number of runs that can still be reverted.
    /// - Returns: the runs whose data was removed.
    /// - Throws: ``GranaryError``: `unreadable` if there is no store; `busy` while another process writes to it.
    package static func removeOldRuns(
        _ text: String, keeping count: Int, timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> [StoreRuns.Entry] {
        #if PostgreSQL
            return try converting {
                try StorePlace(text, timeout: timeout).open(schema: nil).removeOldRuns(keeping: count)
            }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }
}
