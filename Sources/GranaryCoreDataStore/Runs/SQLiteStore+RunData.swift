import Foundation
package import GranaryBase
package import GranaryCoordination
import GranarySQLite

/// The data beside a store with which its runs can be reverted.
extension StoreRuns {
    /// Reads the runs of a store, which is not changed.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store;
    ///   `busy`.
    package init(path: String) throws(GranaryError) {
        self.init(try SQLiteStore.metadata(path: path).importLedger, path: path)
    }

    /// The runs in the ledger of a store, and those with data.
    package init(_ ledger: ImportLedger, path: String) {
        self.init(ledger, kept: RunFolder.names(ofStore: path)) { RunFolder.size(ofRun: $0, ofStore: path) }
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
                let old = try StoreRuns(path: path).old(keeping: count)
                for entry in old { try RunFolder(storePath: path, run: entry.id).remove() }
                return old
            }
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
