/// A page of a table's B-tree ("B-tree Pages", https://www.sqlite.org/fileformat2.html#b_tree_pages).
struct ScannedPage {
    let isLeaf: Bool
    let cellCount: Int
    /// The bytes of a leaf, which are borrowed from the file's window; empty for an interior page.
    private let bytes: UnsafeRawBufferPointer
    private let headerStart: Int
    /// The children of an interior page, which are copied because the window moves.
    private let children: [UInt32]

    /// - Returns: nil if the page is not a page of a table, or its cells are outside of it.
    init?(_ page: UnsafeRawBufferPointer, number: UInt32, usableSize: Int) {
        let header = number == 1 ? 100 : 0
        guard page.count >= header + 12 else { return nil }
        let kind = page[header]
        guard kind == 0x0D || kind == 0x05 else { return nil }
        isLeaf = kind == 0x0D
        cellCount = Self.number16(page, header + 3)
        headerStart = header + (isLeaf ? 8 : 12)
        guard headerStart + 2 * cellCount <= usableSize, usableSize <= page.count else { return nil }
        // SQLite reports a page with more cells as damaged: each has at least 4 bytes and its pointer.
        guard cellCount <= (page.count - 8) / 6 else { return nil }
        bytes = UnsafeRawBufferPointer(rebasing: page[..<(isLeaf ? usableSize : 0)])
        guard !isLeaf else {
            children = []
            return
        }
        var children: [UInt32] = []
        children.reserveCapacity(cellCount + 1)
        for index in 0..<cellCount {
            let start = Self.number16(page, headerStart + 2 * index)
            guard start + 4 <= usableSize else { return nil }
            children.append(UInt32(bigEndian: page.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        }
        children.append(UInt32(bigEndian: page.loadUnaligned(fromByteOffset: header + 8, as: UInt32.self)))
        self.children = children
    }

    /// The number of a child's page; nil after the last one. An interior page has one more child than cells.
    func child(_ index: Int) -> UInt32? { children.indices.contains(index) ? children[index] : nil }

    /// A cell of a leaf.
    struct Cell {
        let rowID: Int64
        /// The size of the payload.
        let size: Int
        /// The part of the payload that is on the page.
        let local: UnsafeBufferPointer<UInt8>
        /// The page with the next part; nil if all is on this page.
        let overflow: UInt32?
    }

    /// - Returns: nil if the cell is not inside the page.
    func cell(_ index: Int, usableSize: Int) -> Cell? {
        var place = Self.number16(bytes, headerStart &+ 2 &* index)
        guard let size = Self.varint(bytes, &place), let key = Self.varint(bytes, &place), size <= 1 << 30 else {
            return nil
        }
        let count = Int(size)
        let largest = usableSize &- 35
        guard count > largest else {
            guard count <= bytes.count &- place else { return nil }
            return Cell(
                rowID: Int64(bitPattern: key), size: count, local: span(place, count), overflow: nil)
        }
        // "The amount of payload that spills onto overflow pages": the formula of the file format.
        let smallest = (usableSize - 12) * 32 / 255 - 23
        let surplus = smallest + (count - smallest) % (usableSize - 4)
        let local = surplus <= largest ? surplus : smallest
        guard local + 4 <= bytes.count - place else { return nil }
        return Cell(
            rowID: Int64(bitPattern: key), size: count, local: span(place, local),
            overflow: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place + local, as: UInt32.self)))
    }

    private func span(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ count]).assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private static func number16(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
        Int(bytes[place]) << 8 | Int(bytes[place &+ 1])
    }

    /// Reads a varint and moves `place` to the byte after it; nil if it is not inside the bytes.
    @inline(__always)
    static func varint(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place &+= 1
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return value
    }
}
