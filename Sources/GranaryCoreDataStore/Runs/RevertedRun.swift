public import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

/// The changes made by a revert.
public struct RevertedRun: Sendable, Hashable {
    /// The name of the run.
    public let id: String
    /// The number of objects that the run had inserted and the revert removed.
    public internal(set) var removed = 0
    /// The number of objects whose values were restored.
    public internal(set) var restored = 0
    /// The number of objects that the run had deleted and the revert inserted again.
    public internal(set) var broughtBack = 0
    /// The number of rows of join tables that were removed, inserted or restored.
    public internal(set) var links = 0
}

extension RevertedRun {
    /// Reverts an import run of a store file: every row that the run changed is as it was before (`granary store
    /// revert`). The model is not needed. Contexts must refetch objects that they read before.
    ///
    /// ```swift
    /// let reverted = try await RevertedRun.revert("run-3", inStoreAt: URL(filePath: "Seed.sqlite"))
    /// ```
    ///
    /// - Parameter run: the name in `ImportReport.run`; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file or run, or the run was not revertible;
    ///   `refused` if an object of the run has changed since, or the file is not a Core Data store; `busy`;
    ///   `uncreatable` if it is write-protected; `interrupted` if the task is cancelled. The store is then unchanged.
    public static func revert(_ run: String? = nil, inStoreAt url: URL) async throws -> RevertedRun {
        try await InBackground.run { cancellation in
            try SQLiteStore.revert(path: url.path(percentEncoded: false), run: run, cancellation: cancellation)
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
