import Foundation
package import GranaryBase
package import GranaryCoordination
import GranarySQLite

/// The runs in a store's ledger and the data beside the store with which they can be reverted.
package struct StoreRuns: Sendable {
    /// A run in the ledger, a folder with data to revert a run, or both.
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

    /// Reads the runs of a store, which is not changed.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store;
    ///   `busy`.
    package init(path: String) throws(GranaryError) {
        let ledger = try SQLiteStore.metadata(path: path).importLedger
        (droppedRuns, problem) = (ledger.droppedRuns, ledger.problem)
        let folders = RunFolder.names(ofStore: path)
        let known = Set(ledger.runs.map(\.id))
        let listed = ledger.runs.map { (id: $0.id, run: Optional($0)) }
        let others = folders.filter { !known.contains($0) }.map { (id: $0, run: ImportRun?.none) }
        entries = Self.inOrder(listed + others).map { id, run in
            Entry(id: id, run: run, revertBytes: RunFolder.size(ofRun: id, ofStore: path))
        }
    }

    /// The runs in a ledger alone. None of them can be reverted.
    package init(ledger: ImportLedger) {
        (droppedRuns, problem) = (ledger.droppedRuns, ledger.problem)
        entries = ledger.runs.map { Entry(id: $0.id, run: $0, revertBytes: nil) }
    }

    /// Removes the data of all runs that can be reverted but the newest ones. The store's file is not changed.
    ///
    /// - Parameter count: the number of runs that can still be reverted.
    /// - Returns: the runs whose data was removed.
    /// - Throws: ``GranaryError``: as ``init(path:)``; `busy` while another process writes to the store; `uncreatable`
    ///   if the store is write-protected.
    package static func removeOld(
        path: String, keeping count: Int, busyTimeout: Duration
    ) throws(GranaryError) -> [Entry] {
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            // No import and no revert runs at the same time. Nothing is written, so the file keeps its bytes.
            return try connection.transaction(.immediate) {
                let old = try StoreRuns(path: path).entries.filter { $0.revertBytes != nil }.dropLast(max(0, count))
                for entry in old { try RunFolder(storePath: path, run: entry.id).remove() }
                return Array(old)
            }
        }
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

extension RunFolder {
    /// The number of bytes of the data of a run; nil if it cannot be reverted.
    fileprivate static func size(ofRun id: String, ofStore path: String) -> Int64? {
        guard let folder = try? RunFolder(storePath: path, run: id), folder.isThere else { return nil }
        var total: Int64 = 0
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            total += (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        }
        return total
    }
}
