/// The member names met so far, found again by their bytes.
///
/// Objects of one kind mostly have their members in one order. So each column remembers which one followed it
/// last, and the guess costs a comparison of bytes; only a wrong guess is hashed. Objects inside a record share its
/// columns, but a name that stands in one of them is no duplicate of the same name around it.
struct ColumnTable {
    /// The names in the order of first meeting.
    private(set) var names: [String] = []
    private var columns: [Column] = []
    /// All names' bytes, one after the other.
    private var bytes: [UInt8] = []
    /// Open addressing, a power of two, never more than half full; −1 is free.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    /// Which column the first member of the last record was.
    private var firstColumn: Int32 = -1
    /// The number of the object at hand, by which columns know whether they were met in it.
    private var object = 0
    private var objectCount = 0
    /// What columns knew of the objects around the one at hand, before they were met in it.
    private var covered: [Covered] = []

    private struct Column {
        var start: Int
        var end: Int
        var hash: Int
        /// Whether the name's bytes are its JSON source text too, so that the two may be compared.
        var isPlain: Bool
        /// Which column came behind it last time.
        var successor: Int32
        /// Which column came first in the last object that stood in it.
        var firstInside: Int32
        /// The object it was met in last, and where in the record.
        var object: Int
        var offset: Int
    }

    private struct Covered {
        let column: Int32
        let object: Int
        let offset: Int
    }

    /// What ``endObject(_:)`` needs to go on with the object around.
    struct Surroundings {
        fileprivate let object: Int
        fileprivate let coveredCount: Int
    }

    /// Starts a new record: no column has been met in it.
    mutating func beginRecord() {
        objectCount += 1
        object = objectCount
        if !covered.isEmpty { covered.removeAll(keepingCapacity: true) }
    }

    /// Starts an object inside the one at hand: no column has been met in it.
    mutating func beginObject() -> Surroundings {
        let around = Surroundings(object: object, coveredCount: covered.count)
        objectCount += 1
        object = objectCount
        return around
    }

    /// Ends the object at hand and goes on with the one around it.
    mutating func endObject(_ around: Surroundings) {
        while covered.count > around.coveredCount, let last = covered.popLast() {
            columns[Int(last.column)].object = last.object
            columns[Int(last.column)].offset = last.offset
        }
        object = around.object
    }

    /// What stands for the column before the first member of an object that is in `column`.
    static func start(inside column: Int32) -> Int32 { -2 - column }

    /// The column that probably follows `previous`: −1 at the record's start, ``start(inside:)`` at an object's.
    @inline(__always)
    func guess(after previous: Int32) -> Int32 {
        if previous >= 0 { return columns[Int(previous)].successor }
        return previous == -1 ? firstColumn : columns[-2 - Int(previous)].firstInside
    }

    /// Whether the source text at `position` is the plain name of `column` and a closing quote; its length then.
    @inline(__always)
    func plainLength(of column: Int32, in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        guard column >= 0 else { return nil }
        let entry = columns[Int(column)]
        let length = entry.end - entry.start
        guard entry.isPlain, text.count - position > length, text[position + length] == UInt8(ascii: "\"") else {
            return nil
        }
        return bytes.withUnsafeBufferPointer { names in
            for index in 0..<length where names[entry.start + index] != text[position + index] { return nil }
            return length
        }
    }

    /// Whether these bytes are the name of `column`.
    func isName(_ column: Int32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = columns[Int(column)]
        return bytes[entry.start..<entry.end].elementsEqual(name)
    }

    /// The column of a name, made if there is none yet; nil where it would be one too many.
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

    /// Notes that a column stands at `offset` of the record at hand; where it stood before in it, if it did.
    @inline(__always)
    mutating func meet(_ column: Int32, at offset: Int) -> Int? {
        let index = Int(column)
        if columns[index].object == object { return columns[index].offset }
        columns[index].object = object
        columns[index].offset = offset
        return nil
    }

    /// The same for a member of an object inside the record, which does not touch what is known of those around it.
    mutating func meetInside(_ column: Int32, at offset: Int) -> Int? {
        let known = columns[Int(column)]
        if known.object != object {
            covered.append(Covered(column: column, object: known.object, offset: known.offset))
        }
        return meet(column, at: offset)
    }

    private mutating func find(_ name: UnsafeBufferPointer<UInt8>, limit: Int) -> Int32? {
        // The standard hash is seeded afresh in each process, so no file can be made to collide.
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
