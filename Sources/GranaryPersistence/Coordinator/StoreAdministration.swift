import Foundation
import GranaryBase
import GranaryPropertyLists

/// What can be done to a store that is not open, and without its model. Beside ``StoreOpening`` the one place that knows
/// the kinds of stores.
enum StoreAdministration {
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no store of that kind; `usage` for
    ///   a store in memory.
    static func metadata(at location: StoreLocation) throws(GranaryError) -> StoreMetadata {
        switch location.kind {
        case .inMemory: throw noFile()
        case .sqlite(let url): return try SQLiteStore.metadata(path: url.path(percentEncoded: false))
        case .archive(let url, _): return try ArchiveStore.metadata(path: url.path(percentEncoded: false))
        }
    }

    static func setUserMetadata(_ entries: [PropertyListEntry], at location: StoreLocation) throws(GranaryError) {
        switch location.kind {
        case .inMemory: throw noFile()
        case .sqlite(let url):
            try SQLiteStore.setUserMetadata(entries, path: url.path(percentEncoded: false))
        case .archive(let url, _):
            try ArchiveStore.setUserMetadata(entries, path: url.path(percentEncoded: false))
        }
    }

    static func destroy(at location: StoreLocation, timeout: Duration) throws(GranaryError) {
        switch location.kind {
        case .inMemory: break
        case .sqlite(let url):
            try SQLiteStore.destroy(path: url.path(percentEncoded: false), busyTimeout: timeout)
        case .archive(let url, _): try ArchiveStore.destroy(path: url.path(percentEncoded: false))
        }
    }

    /// Whether two places are one file, links followed.
    static func isSameFile(_ left: StoreLocation, _ right: StoreLocation) -> Bool {
        guard let left = left.url, let right = right.url else { return false }
        return ArchiveFile.resolved(left.path(percentEncoded: false))
            == ArchiveFile.resolved(right.path(percentEncoded: false))
    }

    private static func noFile() -> GranaryError {
        GranaryError(.usage, "a store in memory is there only while it is open")
    }
}
