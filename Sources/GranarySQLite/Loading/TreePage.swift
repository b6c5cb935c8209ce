/// Builds a page of a B-tree: "B-tree Pages", https://www.sqlite.org/fileformat2.html#b_tree_pages. Cells are placed
/// from the end of the page to its start; their pointers follow the header.
struct TreePage: ~Copyable {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var headerBytes: Int { self == .indexInterior || self == .tableInterior ? 12 : 8 }
    }

    private let kind: Kind
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private(set) var cellCount = 0
    /// The offset of the last cell.
    private var start: Int
    /// The size of the last cell.
    private var lastSize = 0
    /// The offset of the next pointer.
    private var pointer: Int
    /// The child after the last cell.
    var rightChild: UInt32 = 0

    init(_ kind: Kind, size: Int) {
        self.kind = kind
        bytes = .allocate(capacity: size)
        bytes.initialize(repeating: 0)
        start = size
        pointer = kind.headerBytes
    }

    deinit { bytes.deallocate() }

    /// Whether there is room for a cell of this size and its pointer.
    func hasRoom(for size: Int) -> Bool { start &- pointer >= size &+ 2 }

    /// Adds a cell, for which there is room.
    ///
    /// - Parameters:
    ///   - size: the size reserved for the cell, including the number of the overflow page.
    ///   - overflow: the first overflow page; 0 if there is none.
    mutating func addCell(_ cell: UnsafeBufferPointer<UInt8>, size: Int, overflow: UInt32 = 0) {
        start &-= size
        lastSize = size
        Self.copy(cell, to: bytes, at: start)
        if overflow != 0 { Self.put(overflow, at: start &+ cell.count, in: bytes) }
        addPointer()
    }

    /// The size of the cell of a row in a table leaf.
    ///
    /// - Parameter local: the number of bytes of the record in the cell.
    static func rowSize(_ record: Int, local: Int, rowID: Int64) -> Int {
        let head = Bytes.varintLength(UInt64(record)) &+ Bytes.varintLength(UInt64(bitPattern: rowID))
        return max(4, head &+ local &+ (local < record ? 4 : 0))
    }

    /// Adds the cell of a row, for which there is room: "Table B-Tree Leaf Cell".
    ///
    /// - Parameters:
    ///   - size: its ``rowSize(_:local:rowID:)``.
    ///   - local: the number of bytes of the record in the cell.
    ///   - overflow: the first overflow page; 0 if there is none.
    mutating func addRow(
        _ record: UnsafeBufferPointer<UInt8>, size: Int, local: Int, rowID: Int64, overflow: UInt32 = 0
    ) {
        start &-= size
        lastSize = size
        var place = start
        place &+= Bytes.putVarint(UInt64(record.count), at: place, in: bytes)
        place &+= Bytes.putVarint(UInt64(bitPattern: rowID), at: place, in: bytes)
        Self.copy(UnsafeBufferPointer(rebasing: record[..<local]), to: bytes, at: place)
        if overflow != 0 { Self.put(overflow, at: place &+ local, in: bytes) }
        addPointer()
    }

    private mutating func addPointer() {
        bytes[pointer] = UInt8(truncatingIfNeeded: start >> 8)
        bytes[pointer &+ 1] = UInt8(truncatingIfNeeded: start)
        pointer &+= 2
        cellCount &+= 1
    }

    /// Removes and returns the last cell. It can be called once after a cell was added.
    mutating func removeLast() -> [UInt8] {
        let cell = Array(bytes[start..<start + lastSize])
        for index in start..<start + lastSize { bytes[index] = 0 }
        start &+= lastSize
        pointer &-= 2
        bytes[pointer] = 0
        bytes[pointer &+ 1] = 0
        cellCount &-= 1
        lastSize = 0
        return cell
    }

    mutating func removeAll() {
        // Also clears the bytes between pointers and cells: no data of earlier rows may remain in the file.
        bytes.update(repeating: 0)
        start = bytes.count
        pointer = kind.headerBytes
        cellCount = 0
        rightChild = 0
    }

    /// Calls `body` with the bytes of the page, after writing its header.
    mutating func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        bytes[0] = kind.rawValue
        bytes[3] = UInt8(truncatingIfNeeded: cellCount >> 8)
        bytes[4] = UInt8(truncatingIfNeeded: cellCount)
        // 65,536 is written as 0.
        bytes[5] = UInt8(truncatingIfNeeded: start >> 8)
        bytes[6] = UInt8(truncatingIfNeeded: start)
        if kind.headerBytes == 12 { Self.put(rightChild, at: 8, in: bytes) }
        return try body(UnsafeBufferPointer(bytes))
    }

    /// A copy of the page.
    var array: [UInt8] { mutating get { withBytes { Array($0) } } }

    static func put(_ number: UInt32, at place: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        UnsafeMutableRawBufferPointer(bytes).storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self)
    }

    static func copy(
        _ source: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>, at place: Int
    ) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        (to + place).update(from: from, count: source.count)
    }
}
