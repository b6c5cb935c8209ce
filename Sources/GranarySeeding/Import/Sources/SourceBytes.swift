import Foundation
import GranaryBase

/// The bytes of a source, from its start each time that they are asked for.
final class SourceBytes: @unchecked Sendable {
    private let open: @Sendable () throws(GranaryError) -> ByteSource
    private let lock = NSLock()
    /// What is kept while it is read. Touched under `lock`, which makes this Sendable.
    private var spooled: ByteSource?

    init(_ open: @escaping @Sendable () throws(GranaryError) -> ByteSource) { self.open = open }

    func fromStart() throws(GranaryError) -> ByteSource {
        lock.lock()
        defer { lock.unlock() }
        if let spooled { return try spooled.reopened() }
        let bytes = try open()
        // A file is opened by its name again, so that many files do not stay open.
        if bytes.isSpooled { spooled = bytes }
        return bytes
    }
}
