import GranaryBase
import Synchronization

/// The declarations of files that were parsed before in this process, because a command reads several schemas of the
/// same sources.
enum ParsedFiles {
    private struct Key: Hashable {
        let path: String
        let status: FileStatus?
    }

    private static let last = Mutex<(key: [Key], listing: SourceListing)?>(nil)

    /// - Throws: ``GranaryError`` as ``SwiftDataTool/listing(of:)``.
    static func listing(of files: [String]) throws(GranaryError) -> SourceListing {
        let key = files.map { Key(path: $0, status: FileStatus(path: $0)) }
        if let known = last.withLock({ $0?.key == key ? $0?.listing : nil }) { return known }
        let listing = try SwiftDataTool.listing(of: files)
        // A file that was written just now can change again without a new time.
        if !key.contains(where: { $0.status?.isFresh ?? true }) { last.withLock { $0 = (key, listing) } }
        return listing
    }
}
