#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Adds pages behind those that a database file has. The file belongs to nobody else meanwhile.
///
/// Page numbers are given in the order in which pages are added; pages of the pointer map and the lock-byte page are left out.
/// Nothing that is there is changed before ``finish()``.
final class PageFile {
    let format: PageFormat
    /// -1 once closed.
    private var descriptor: Int32
    let path: String
    /// How many bytes of entries each index may keep in memory.
    let indexMemory: Int
    /// The first 100 bytes of the file: "The Database Header".
    private var header: [UInt8]
    private let hasPointerMap: Bool
    /// The number of pages before loading.
    let firstPages: UInt32
    /// The number of pages now.
    @exclusivity(unchecked) private var pages: UInt32
    /// The pages behind those that are written, and the number of the first of them.
    @exclusivity(unchecked) private var waiting: [UInt8] = []
    private var firstWaiting: UInt32
    /// What the new pages are for, from ``firstPages`` on.
    @exclusivity(unchecked) private var pointers: [PagePointer] = []
    /// Pages to be replaced at the end: the roots.
    private var replaced: [UInt32: [UInt8]] = [:]

    /// Whether ``finish()`` has begun to change pages that were there before: the file cannot be used if it fails then.
    private(set) var hasChangedPages = false

    /// How many bytes are written at a time.
    private static let blockBytes = 1 << 19

    /// - Throws: for a file that is no database, and for one that loading is not made for.
    init(path: String, indexMemory: Int) throws(LoadError) {
        self.path = path
        self.indexMemory = indexMemory
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw LoadError(path: path, errno: errno) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 100, 0) }
        guard count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            _ = closeDescriptor(descriptor)
            throw LoadError(path: path, "the file is no SQLite database")
        }
        let size = Int(header[16]) << 8 | Int(header[17])
        let end = lseek(descriptor, 0, SEEK_END)
        format = PageFormat(pageSize: size == 1 ? 65_536 : size)
        hasPointerMap = Self.number(header, at: 52) != 0
        pages = Self.number(header, at: 28)
        firstPages = pages
        firstWaiting = pages &+ 1
        self.header = header
        // Reserved bytes, a write-ahead log, an old format, texts that are not UTF-8, or a file that its header does not describe.
        guard header[20] == 0, header[59] == 1, header[18] == 1, header[19] == 1, header[47] == 4, pages > 0,
            Int64(end) == Int64(pages) * Int64(format.pageSize)
        else {
            _ = closeDescriptor(descriptor)
            throw LoadError(path: path, "pages cannot be added to a database of this kind")
        }
        waiting.reserveCapacity(Self.blockBytes + 2 * format.pageSize)
    }

    deinit { close() }

    private func close() {
        if descriptor >= 0 { _ = closeDescriptor(descriptor) }
        descriptor = -1
    }

    /// The file's folder, for temporary files.
    var folder: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.isEmpty ? "." : parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    }

    /// Adds a page and gives back its number.
    func add(_ page: UnsafeBufferPointer<UInt8>, _ kind: PagePointer.Kind, parent: UInt32) throws(LoadError) -> UInt32 {
        try skipSpecialPages()
        let number = try nextNumber(kind, parent: parent)
        waiting.append(contentsOf: page)
        if waiting.count >= Self.blockBytes { try writeOut() }
        return number
    }

    /// The number that the next page will have.
    func peek() throws(LoadError) -> UInt32 {
        try skipSpecialPages()
        return pages &+ 1
    }

    /// The number that the page after the next one will have.
    func peekAfterNext() throws(LoadError) -> UInt32 {
        var number = try peek() &+ 1
        while number == format.lockBytePage || hasPointerMap && format.isPointerMap(number) { number &+= 1 }
        return number
    }

    /// Sets the parent of a page that was added.
    func setParent(_ parent: UInt32, of page: UInt32) { pointers[Int(page &- firstPages &- 1)].parent = parent }

    /// Replaces a page that was there before, at the end.
    func replace(_ page: UInt32, by bytes: [UInt8]) { replaced[page] = bytes }

    /// Writes everything, and the header last. The file is a database with the new pages then.
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

    /// Cuts the new pages off.
    func discard() {
        if descriptor >= 0 { _ = ftruncate(descriptor, off_t(firstPages) * off_t(format.pageSize)) }
        close()
    }

    // MARK: Numbers

    private func nextNumber(_ kind: PagePointer.Kind, parent: UInt32) throws(LoadError) -> UInt32 {
        // "The maximum size database": SQLite's own limit of pages.
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

    /// Writes what the new pages are for into the pointer map, which is behind the old pages and among the new ones.
    private func writePointerMap() throws(LoadError) {
        guard hasPointerMap, pages > firstPages else { return }
        var page = firstPages &+ 1
        while page <= pages {
            let map = format.pointerMapPage(of: page)
            let first = page
            var bytes: [UInt8] = []
            while page <= pages, format.pointerMapPage(of: page) == map {
                // The map's own page, and the lock-byte page, have no entry.
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

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Why pages could not be added.
package struct LoadError: Error, Sendable {
    package let path: String
    package let message: String
    /// Whether the disk is full, or a limit of the file's size is reached.
    package let isFull: Bool
    /// Whether two rows have the same in a unique index.
    package let isUnique: Bool

    init(path: String, _ message: String, isUnique: Bool = false) {
        self.path = path
        self.message = message
        self.isUnique = isUnique
        isFull = false
    }

    init(path: String, errno: Int32) {
        self.path = path
        message = String(cString: strerror(errno))
        isUnique = false
        isFull = errno == ENOSPC || errno == EFBIG || errno == EDQUOT
    }
}
