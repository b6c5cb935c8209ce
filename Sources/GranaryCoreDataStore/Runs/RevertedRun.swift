public import Foundation
public import GranaryCoordination

extension RevertedRun {
    /// Reverts an import run of a store file, as ``revert(_:in:)`` does.
    ///
    /// ```swift
    /// let reverted = try await RevertedRun.revert("run-3", inStoreAt: URL(filePath: "Seed.sqlite"))
    /// ```
    ///
    /// - Parameter run: the name in `ImportReport.run`; nil for the newest run that can be reverted.
    /// - Throws: as ``revert(_:in:)``.
    public static func revert(_ run: String? = nil, inStoreAt url: URL) async throws -> RevertedRun {
        try await revert(run, in: .sqlite(url))
    }
}
