import Foundation
import GranaryBase

/// Opens the bytes of a source at their start, any number of times.
///
/// `@unchecked Sendable` is safe: `open` is constant and `Sendable`, and `spooled` is accessed only while `lock` is held.
final class SourceBytes: @unchecked Sendable {
    private let open: @Sendable () throws(GranaryError) -> ByteSource
    private let lock = NSLock()
    /// The source with its spool, once it was opened; nil for a source that is opened by its name each time.
    private var spooled: ByteSource?

    init(_ open: @escaping @Sendable () throws(GranaryError) -> ByteSource) { self.open = open }

    func fromStart() throws(GranaryError) -> ByteSource {
        lock.lock()
        defer { lock.unlock() }
        if let spooled { return try spooled.reopened() }
        let bytes = try open()
        // A file without a spool is opened by its name again, so that many files do not stay open.
        if bytes.isSpooled { spooled = bytes }
        return bytes
    }
}
