package import GranaryBase

/// The changes made by a revert.
public struct RevertedRun: Sendable, Hashable {
    /// The name of the run.
    public let id: String
    /// The number of objects that the run had inserted and the revert removed.
    public package(set) var removed = 0
    /// The number of objects whose values were restored.
    public package(set) var restored = 0
    /// The number of objects that the run had deleted and the revert inserted again.
    public package(set) var broughtBack = 0
    /// The number of rows of join tables that were removed, inserted or restored.
    public package(set) var links = 0

    package init(id: String) { self.id = id }
}

extension RevertedRun {
    /// Reverts an import run of a store: every row that the run changed is as it was before (`granary store revert`).
    /// The model is not needed. Contexts must refetch objects that they read before.
    ///
    /// ```swift
    /// let reverted = try await RevertedRun.revert("run-3", in: .postgresql("postgresql://localhost/triage"))
    /// ```
    ///
    /// - Parameter run: the name in `ImportReport.run`; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such store or run, or the run was not revertible;
    ///   `refused` if an object of the run has changed since, or it is no store; `busy`; `uncreatable` if the file is
    ///   write-protected; `usage` for a store that is neither an SQLite nor a PostgreSQL store; `interrupted` if the
    ///   task is cancelled. The store is then unchanged.
    public static func revert(_ run: String? = nil, in store: StoreLocation) async throws -> RevertedRun {
        try await InBackground.run { cancellation in
            try store.kind.revert(run, timeout: .seconds(5), cancellation: cancellation)
        }
    }
}

extension RevertedRun: CustomStringConvertible {
    /// `run-3: 5 objects removed, 2 restored, 1 inserted again, 0 links changed`
    public var description: String {
        "\(id): \(CountText.count(removed, "object")) removed, \(restored) restored, \(broughtBack) inserted again, "
            + "\(CountText.count(links, "link")) changed"
    }
}

extension StoreKind {
    package func revert(
        _ run: String?, timeout: Duration, cancellation: Cancellation?
    ) throws(GranaryError) -> RevertedRun {
        throw GranaryError(.usage, "only runs of SQLite and PostgreSQL stores can be reverted")
    }
}
