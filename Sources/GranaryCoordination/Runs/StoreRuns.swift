package import GranaryBase

/// The runs in a store's ledger, and the data with which they can be reverted: beside an SQLite store, in the database
/// of a PostgreSQL store.
package struct StoreRuns: Sendable {
    /// A run in the ledger, the data to revert a run, or both.
    package struct Entry: Sendable {
        package let id: String
        /// Nil if the ledger has dropped the run.
        package let run: ImportRun?
        /// The number of bytes with which it can be reverted; nil if it cannot be reverted.
        package let revertBytes: Int64?
    }

    /// The runs, oldest first.
    package let entries: [Entry]
    /// The number of older runs that the ledger has dropped.
    package let droppedRuns: Int
    /// What is wrong with the ledger; nil if nothing is.
    package let problem: String?

    /// - Parameters:
    ///   - kept: the names of runs with data. The ledger may have dropped them.
    ///   - bytes: the number of bytes of a run's data; nil if it cannot be reverted.
    package init(_ ledger: ImportLedger, kept: some Sequence<String>, bytes: (String) -> Int64?) {
        (droppedRuns, problem) = (ledger.droppedRuns, ledger.problem)
        let known = Set(ledger.runs.map(\.id))
        let listed = ledger.runs.map { (id: $0.id, run: Optional($0)) }
        let others = kept.filter { !known.contains($0) }.map { (id: $0, run: ImportRun?.none) }
        entries = Self.inOrder(listed + others).map { id, run in Entry(id: id, run: run, revertBytes: bytes(id)) }
    }

    /// The runs that can be reverted.
    private var revertible: [Entry] { entries.filter { $0.revertBytes != nil } }

    /// The runs that can be reverted, without the newest ones.
    package func old(keeping count: Int) -> [Entry] { Array(revertible.dropLast(max(0, count))) }

    /// The runs in the ledger, newest last; each is revertible while its data exists.
    package var ledgerRuns: [ImportRun] {
        entries.compactMap { entry in
            entry.run.map { run in
                var run = run
                run.isRevertible = run.isRevertible && entry.revertBytes != nil
                return run
            }
        }
    }

    /// The name of the run to revert: the given one, or the newest one of the ledger that can be reverted.
    ///
    /// - Parameter store: the store in the message.
    /// - Throws: ``GranaryError`` with code `unreadable` if there is none.
    package func runToRevert(_ given: String?, of store: String) throws(GranaryError) -> String {
        guard let run = given ?? revertible.last(where: { $0.run?.isRevertible == true })?.id else {
            throw GranaryError(.unreadable, "\(store): the store has no run that can be reverted")
        }
        return run
    }

    /// Runs by their numbers; others by their names, first.
    private static func inOrder(_ runs: [(id: String, run: ImportRun?)]) -> [(id: String, run: ImportRun?)] {
        func number(_ id: String) -> Int { id.split(separator: "-").last.flatMap { Int($0) } ?? -1 }
        return runs.sorted { left, right in
            let (one, other) = (number(left.id), number(right.id))
            return one == other ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8) : one < other
        }
    }
}
