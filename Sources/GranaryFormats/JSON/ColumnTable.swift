/// The member names found so far, looked up by their bytes.
///
/// Objects of one kind usually have their members in the same order. Each column therefore remembers its last successor
/// as a guess, which costs a comparison of bytes; only a wrong guess is hashed. Nested objects share the columns of the
/// record, but the same name in a nested object and around it is not a duplicate.
struct ColumnTable {
    /// The names in the order of their first occurrence.
    private(set) var names: [String] = []
    private var columns: [Column] = []
    /// The bytes of all names, concatenated.
    private var bytes: [UInt8] = []
    /// A hash table with open addressing; its size is a power of two, and it is at most half full. −1 is a free slot.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    /// The column of the first member of the last record.
    private var firstColumn: Int32 = -1
    /// The number of the current object. A column with this number has occurred in the object.
    private var object = 0
    private var objectCount = 0
    /// The saved state of columns that occur both in the current object and in an object around it.
    private var covered: [Covered] = []

    private struct Column {
        var start: Int
        var end: Int
        var hash: Int
        /// Whether the name needs no escapes in JSON, so that its bytes can be compared with the source text.
        var isPlain: Bool
        /// The column that followed it last.
        var successor: Int32
        /// The first column of the last object in this column.
        var firstInside: Int32
        /// The last object in which it occurred, and its offset in the record.
        var object: Int
        var offset: Int
    }

    private struct Covered {
        let column: Int32
        let object: Int
        let offset: Int
    }

    /// The state that ``endObject(_:)`` restores.
    struct Surroundings {
        fileprivate let object: Int
        fileprivate let coveredCount: Int
    }

    /// Starts a new record, in which no column has occurred yet.
    mutating func beginRecord() {
        objectCount += 1
        object = objectCount
        if !covered.isEmpty { covered.removeAll(keepingCapacity: true) }
    }

    /// Starts an object inside the current one. No column has occurred in it yet.
    mutating func beginObject() -> Surroundings {
        let around = Surroundings(object: object, coveredCount: covered.count)
        objectCount += 1
        object = objectCount
        return around
    }

    /// Ends the current object and continues with the object around it.
    mutating func endObject(_ around: Surroundings) {
        while covered.count > around.coveredCount, let last = covered.popLast() {
            columns[Int(last.column)].object = last.object
            columns[Int(last.column)].offset = last.offset
        }
        object = around.object
    }

    /// The placeholder for the previous column before the first member of an object in `column`.
    static func start(inside column: Int32) -> Int32 { -2 - column }

    /// The column that probably follows `previous`, which is −1 at the record's start and ``start(inside:)`` at an
    /// object's.
    @inline(__always)
    func guess(after previous: Int32) -> Int32 {
        if previous >= 0 { return columns[Int(previous)].successor }
        return previous == -1 ? firstColumn : columns[-2 - Int(previous)].firstInside
    }

    /// The length of the name of `column` if the source text at `position` is that name and a closing quote; otherwise
    /// nil.
    @inline(__always)
    func plainLength(of column: Int32, in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        guard column >= 0 else { return nil }
        let entry = columns[Int(column)]
        let length = entry.end - entry.start
        guard entry.isPlain, text.count - position > length, text[position + length] == UInt8(ascii: "\"") else {
            return nil
        }
        return bytes.withUnsafeBufferPointer { names in
            let name = UnsafeBufferPointer(rebasing: names[entry.start..<entry.end])
            let found = UnsafeBufferPointer(rebasing: text[position..<position + length])
            for index in 0..<length where name[index] != found[index] { return nil }
            return length
        }
    }

    /// Whether `name` is the name of `column`.
    func isName(_ column: Int32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = columns[Int(column)]
        return bytes[entry.start..<entry.end].elementsEqual(name)
    }

    /// The column of a name, added if it is new; nil if that would exceed `limit`.
    mutating func column(of name: UnsafeBufferPointer<UInt8>, after previous: Int32, limit: Int) -> Int32? {
        let column = find(name, limit: limit)
        guard let column else { return nil }
        if previous >= 0 {
            columns[Int(previous)].successor = column
        } else if previous == -1 {
            firstColumn = column
        } else {
            columns[-2 - Int(previous)].firstInside = column
        }
        return column
    }

    /// The column of a name that is no member of the current object, added if it is new; nil if that would exceed
    /// `limit`.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>, limit: Int) -> Int32? { find(name, limit: limit) }

    /// Records that a column occurs at `offset` of the record. Returns the offset of its earlier occurrence in the same
    /// object, if any.
    @inline(__always)
    mutating func meet(_ column: Int32, at offset: Int) -> Int? {
        let index = Int(column)
        if columns[index].object == object { return columns[index].offset }
        columns[index].object = object
        columns[index].offset = offset
        return nil
    }

    /// The same for a member of a nested object; the state of the objects around it is saved.
    mutating func meetInside(_ column: Int32, at offset: Int) -> Int? {
        let known = columns[Int(column)]
        if known.object != object {
            covered.append(Covered(column: column, object: known.object, offset: known.offset))
        }
        return meet(column, at: offset)
    }

    private mutating func find(_ name: UnsafeBufferPointer<UInt8>, limit: Int) -> Int32? {
        // The standard hash is randomly seeded in each process, so no file can be crafted to collide.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let column = columns[Int(slots[slot])]
            if column.hash == hash, bytes[column.start..<column.end].elementsEqual(name) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard columns.count < min(limit, Int(Int32.max)) else { return nil }
        let index = Int32(columns.count)
        slots[slot] = index
        let start = bytes.count
        bytes.append(contentsOf: name)
        let isPlain = !name.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        columns.append(
            Column(
                start: start, end: bytes.count, hash: hash, isPlain: isPlain, successor: -1, firstInside: -1, object: 0,
                offset: 0))
        names.append(String(decoding: name, as: UTF8.self))
        if columns.count * 2 > slots.count { grow() }
        return index
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (index, column) in columns.enumerated() {
            var slot = column.hash & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}
