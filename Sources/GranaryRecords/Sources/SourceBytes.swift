import Foundation
import GranaryBase

/// Opens the bytes of a source at their start, any number of times.
///
/// `@unchecked Sendable` is safe: `open` is constant and `Sendable`, and the other properties are accessed only while
/// `lock` is held.
final class SourceBytes: @unchecked Sendable {
    private let open: @Sendable (ByteSpool?) throws(GranaryError) -> ByteSource
    private let lock = NSLock()
    private var spool: ByteSpool?
    /// The source with its spool after the first opening; nil for a source that is opened by its name each time.
    private var spooled: ByteSource?

    init(_ open: @escaping @Sendable (ByteSpool?) throws(GranaryError) -> ByteSource) { self.open = open }

    /// Keeps the bytes that are read from now on, so that a source that is not a file, or a file that changes, can be
    /// read again. Does nothing if they are kept already.
    func keep(in spool: ByteSpool) {
        lock.lock()
        defer { lock.unlock() }
        self.spool = self.spool ?? spool
    }

    func fromStart() throws(GranaryError) -> ByteSource {
        lock.lock()
        defer { lock.unlock() }
        if let spooled { return try spooled.reopened() }
        let bytes = try open(spool)
        // A file without a spool is opened by its name again, so that many files do not stay open.
        if bytes.isSpooled { spooled = bytes }
        return bytes
    }
}
