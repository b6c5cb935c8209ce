import Foundation

/// Appends pages to a database file. No other process may use the file meanwhile.
///
/// Pages are numbered in the order in which they are added, without pages of the pointer map and the lock-byte page.
/// Existing pages are not changed before ``finish()``.
final class PageFile {
    let format: PageFormat
    /// -1 after closing.
    private var descriptor: Int32
    let path: String
    /// The maximum size of the entries of each index in memory, in bytes.
    let indexMemory: Int
    /// The first 100 bytes of the file: "The Database Header".
    private var header: [UInt8]
    private let hasPointerMap: Bool
    /// The number of pages before loading.
    let firstPages: UInt32
    /// The number of pages now.
    @exclusivity(unchecked) private var pages: UInt32
    /// The pages that are not written yet, and the number of the first of them.
    @exclusivity(unchecked) private var waiting: [UInt8] = []
    private var firstWaiting: UInt32
    /// The pointer map entries of the new pages, which follow the ``firstPages``.
    @exclusivity(unchecked) private var pointers: [PagePointer] = []
    /// The pages to replace at the end: the root pages.
    private var replaced: [UInt32: [UInt8]] = [:]

    /// Whether ``finish()`` has begun to change existing pages. If it fails then, the file is unusable.
    private(set) var hasChangedPages = false

    /// The number of bytes written at a time.
    private static let blockBytes = 1 << 19

    /// - Throws: if the file is not a database, or not supported by loading.
    init(path: String, indexMemory: Int) throws(LoadError) {
        self.path = path
        self.indexMemory = indexMemory
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw LoadError(path: path, errno: errno) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 100, 0) }
        guard count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            closeDescriptor(descriptor)
            throw LoadError(path: path, "the file is not an SQLite database")
        }
        let size = Int(header[16]) << 8 | Int(header[17])
        let end = lseek(descriptor, 0, SEEK_END)
        format = PageFormat(pageSize: size == 1 ? 65_536 : size)
        hasPointerMap = Self.number(header, at: 52) != 0
        pages = Self.number(header, at: 28)
        firstPages = pages
        firstWaiting = pages &+ 1
        self.header = header
        // Not supported: reserved bytes, another encoding than UTF-8, a write-ahead log, an old format, and a file with
        // another size than its header specifies.
        guard header[20] == 0, header[59] == 1, header[18] == 1, header[19] == 1, header[47] == 4, pages > 0,
            Int64(end) == Int64(pages) * Int64(format.pageSize)
        else {
            closeDescriptor(descriptor)
            throw LoadError(path: path, "pages cannot be added to a database of this kind")
        }
        waiting.reserveCapacity(Self.blockBytes + 2 * format.pageSize)
    }

    deinit { close() }

    private func close() {
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
    }

    /// The file's folder, for temporary files.
    var folder: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.isEmpty ? "." : parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    }

    /// Adds a page and returns its number.
    func add(_ page: UnsafeBufferPointer<UInt8>, _ kind: PagePointer.Kind, parent: UInt32) throws(LoadError) -> UInt32 {
        try skipSpecialPages()
        let number = try nextNumber(kind, parent: parent)
        waiting.append(contentsOf: page)
        if waiting.count >= Self.blockBytes { try writeOut() }
        return number
    }

    /// The number of the next page.
    func peek() throws(LoadError) -> UInt32 {
        try skipSpecialPages()
        return pages &+ 1
    }

    /// The number of the page after the next one.
    func peekAfterNext() throws(LoadError) -> UInt32 {
        var number = try peek() &+ 1
        while number == format.lockBytePage || hasPointerMap && format.isPointerMap(number) { number &+= 1 }
        return number
    }

    /// Sets the parent of an added page.
    func setParent(_ parent: UInt32, of page: UInt32) { pointers[Int(page &- firstPages &- 1)].parent = parent }

    /// Replaces an existing page when the file is finished.
    func replace(_ page: UInt32, by bytes: [UInt8]) { replaced[page] = bytes }

    /// Writes the remaining pages, the pointer map, the replaced pages, and finally the header with the new number of
    /// pages.
    func finish() throws(LoadError) {
        try writeOut()
        hasChangedPages = true
        try writePointerMap()
        for (page, bytes) in replaced.sorted(by: { $0.key < $1.key }) { try write(bytes, page: page) }
        let counter = Self.number(header, at: 24) &+ 1
        Self.put(counter, at: 24, of: &header)
        Self.put(pages, at: 28, of: &header)
        Self.put(counter, at: 92, of: &header)
        try write(header, at: 0)
        close()
    }

    /// Truncates the file to its former size.
    func discard() {
        if descriptor >= 0 { _ = ftruncate(descriptor, off_t(firstPages) * off_t(format.pageSize)) }
        close()
    }

    // MARK: Numbers

    private func nextNumber(_ kind: PagePointer.Kind, parent: UInt32) throws(LoadError) -> UInt32 {
        // SQLite's maximum number of pages.
        guard pages < 4_294_967_294 else { throw LoadError(path: path, "the database has too many pages") }
        pages &+= 1
        pointers.append(PagePointer(kind: kind.rawValue, parent: parent))
        return pages
    }

    private func skipSpecialPages() throws(LoadError) {
        while pages &+ 1 == format.lockBytePage || hasPointerMap && format.isPointerMap(pages &+ 1) {
            _ = try nextNumber(.free, parent: 0)
            waiting.append(contentsOf: repeatElement(0, count: format.pageSize))
        }
    }

    // MARK: Writing

    private func writeOut() throws(LoadError) {
        guard !waiting.isEmpty else { return }
        try write(waiting, page: firstWaiting)
        firstWaiting = pages &+ 1
        waiting.removeAll(keepingCapacity: true)
    }

    /// Writes the entries of the new pages to the pointer map, whose pages are among the old and the new ones.
    private func writePointerMap() throws(LoadError) {
        guard hasPointerMap, pages > firstPages else { return }
        var page = firstPages &+ 1
        while page <= pages {
            let map = format.pointerMapPage(of: page)
            let first = page
            var bytes: [UInt8] = []
            while page <= pages, format.pointerMapPage(of: page) == map {
                // The page of the map and the lock-byte page have no entry.
                if page != map, page != format.lockBytePage {
                    let pointer = pointers[Int(page &- firstPages &- 1)]
                    bytes.append(pointer.kind)
                    for shift in [24, 16, 8, 0] as [UInt32] {
                        bytes.append(UInt8(truncatingIfNeeded: pointer.parent >> shift))
                    }
                } else if page > map {
                    bytes.append(contentsOf: [0, 0, 0, 0, 0])
                }
                page &+= 1
            }
            let start = first <= map ? 0 : Int(first &- map &- 1) * 5
            try write(bytes, at: Int64(map &- 1) * Int64(format.pageSize) + Int64(start))
        }
    }

    private func write(_ bytes: [UInt8], page: UInt32) throws(LoadError) {
        try write(bytes, at: Int64(page &- 1) * Int64(format.pageSize))
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws(LoadError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw LoadError(path: path, errno: count < 0 ? errno : ENOSPC) }
            done += count
        }
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func put(_ number: UInt32, at place: Int, of bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index)) }
    }
}

/// Calls `close(2)`, whose name ``PageFile/close()`` hides inside the class.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
