internal import GranaryCSQLite
internal import GranaryBase

/// The pages of a database file during a read transaction.
final class ScannedFile {
    /// The number of bytes that are read at once. Leaf pages of a table often follow each other.
    private static let windowBytes = 1 << 16
    /// SQLite's limit for a value, and so for the part of a record that is not its header.
    private static let payloadLimit = 1 << 30

    private let database: OpaquePointer
    let pageSize: Int
    /// The bytes of a page without those that extensions reserve at its end.
    let usableSize: Int
    let pageCount: UInt32
    /// The bytes of ``windowPages`` pages from ``firstPage`` on.
    private let window: UnsafeMutableRawBufferPointer
    private var firstPage: UInt32 = 0
    private var windowPages: UInt32 = 0
    /// Overflow pages are read here, because the window holds the leaf with the start of the payload.
    private let overflowPage: UnsafeMutableRawBufferPointer
    private var assembled = ByteBuffer()

    /// - Parameter isImmutable: whether SQLite ignores the write-ahead log.
    init?(_ database: OpaquePointer, isImmutable: Bool) {
        var header = [UInt8](repeating: 0, count: 100)
        let isRead = header.withUnsafeMutableBytes { bytes in
            granary_read_database_file(database, bytes.baseAddress, 100, 0) == SQLITE_OK
        }
        let size = granary_file_size(database, 0)
        guard isRead, size > 0, header.starts(with: "SQLite format 3\0".utf8) else { return nil }
        let encoded = Int(header[16]) << 8 | Int(header[17])
        pageSize = encoded == 1 ? 65_536 : encoded
        usableSize = pageSize - Int(header[20])
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1, usableSize >= 480 else { return nil }
        // Texts in UTF-16 must be converted.
        guard header[56...59].elementsEqual([0, 0, 0, 1]) else { return nil }
        // While SQLite reads through a write-ahead log, it has the log's file open, whatever the header says. With an
        // empty log, no process can change the file while this connection reads: a checkpoint waits for readers that
        // use the file alone. A journal is open only while this connection writes.
        let logSize = granary_file_size(database, 1)
        if logSize > 0 { return nil }
        // The header specifies a log that is not open. A hostile file can have two different versions there.
        if header[18...19].contains(2), !isImmutable, logSize != 0 { return nil }
        pageCount = UInt32(clamping: size / Int64(pageSize))
        self.database = database
        window = .allocate(byteCount: max(pageSize, Self.windowBytes), alignment: 16)
        overflowPage = .allocate(byteCount: pageSize, alignment: 16)
    }

    deinit {
        window.deallocate()
        overflowPage.deallocate()
    }

    /// A page of a table's tree; nil if it cannot be read or has another kind.
    ///
    /// The bytes of a leaf are valid until the next call.
    func page(_ number: UInt32) -> ScannedPage? {
        guard let bytes = bytes(of: number) else { return nil }
        return ScannedPage(bytes, number: number, usableSize: usableSize)
    }

    private func bytes(of number: UInt32) -> UnsafeRawBufferPointer? {
        guard number >= 1, number <= pageCount else { return nil }
        if number < firstPage || number &- firstPage >= windowPages {
            windowPages = 0
            let pages = min(UInt32(window.count / pageSize), pageCount &- number &+ 1)
            guard read(number, pages: pages, into: window) else { return nil }
            (firstPage, windowPages) = (number, pages)
        }
        let start = Int(number &- firstPage) * pageSize
        return UnsafeRawBufferPointer(rebasing: window[start..<start + pageSize])
    }

    private func read(_ number: UInt32, pages: UInt32, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        granary_read_database_file(
            database, buffer.baseAddress, Int32(clamping: Int(pages) * pageSize),
            Int64(number &- 1) * Int64(pageSize)) == SQLITE_OK
    }

    /// The whole payload of a cell that continues on overflow pages; valid until the next call. Nil if the chain of
    /// pages is damaged.
    func payload(
        _ local: UnsafeBufferPointer<UInt8>, size: Int, overflow first: UInt32
    ) -> UnsafeBufferPointer<UInt8>? {
        guard size <= Self.payloadLimit, size <= Int(pageCount) * pageSize else { return nil }
        assembled.removeAll()
        assembled.append(contentsOf: local)
        var number = first
        while assembled.count < size {
            guard number >= 1, number <= pageCount, read(number, pages: 1, into: overflowPage) else { return nil }
            let count = min(usableSize - 4, size - assembled.count)
            assembled.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: overflowPage[4..<4 + count])
                    .assumingMemoryBound(to: UInt8.self))
            number = UInt32(bigEndian: overflowPage.loadUnaligned(as: UInt32.self))
        }
        return assembled.bytes
    }
}
