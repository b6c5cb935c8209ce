/// A store that can revert runs (``StoreCapabilities/revertibleRuns``).
package protocol RevertingStore: StoreBackend {
    /// Reverts a run: restores every row that it changed, in every table
    /// (``StoreBackend/transaction(recording:_:)``). Contexts must refetch objects that they read before.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the run has no before-images; `refused` if an object of the run has
    ///   changed since, or another object refers to one that would be removed (the diagnostics list the first ones);
    ///   `busy`; `usage` if the store is read-only or not published.
    @discardableResult
    func revert(run: String) throws -> RevertedRun

    /// The runs and the data to revert them.
    func runs() throws -> StoreRuns
}
