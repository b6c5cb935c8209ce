package import GranaryBase

/// Writes a binary property list of any size from events.
///
/// The caller passes a buffer with each event and may empty it between events. The writer keeps in memory 8 bytes for
/// the offset of each object, 4 for each child of the open containers, and caches of the first keys and short strings.
/// A container is written after its contents, and the root is last. This order is as valid as CoreFoundation's, which
/// requires the whole list in memory.
package struct BinaryPropertyListStreamWriter {
    private struct Level {
        /// The index of its first reference in ``open``.
        let start: Int
        let isDictionary: Bool
    }

    private var nesting = PropertyListNesting()
    private var levels: [Level] = []
    /// The children of all open containers. In a dictionary, keys and values alternate.
    private var open: [UInt32] = []
    private var offsets: [UInt64] = []
    private var position: UInt64 = 0
    private var keys = TextCache(limit: 1 << 16, longest: 1024)
    private var strings = TextCache(limit: 1 << 14, longest: 64)
    private var booleans: (no: UInt32?, yes: UInt32?) = (nil, nil)

    private static let referenceSize = 4

    package init() {}

    /// Writes the next event.
    ///
    /// - Throws: ``GranaryError`` with `limit.exceeded` at the 2^32nd object, and with code `internalDefect` for events
    ///   in an invalid order.
    package mutating func write(_ event: PropertyListEvent, into output: inout [UInt8]) throws(GranaryError) {
        try nesting.take(event)
        let before = output.count
        if position == 0 {
            output.append(contentsOf: BinaryPropertyList.magic)
            position = UInt64(output.count - before)
        }
        let start = output.count
        switch event {
        case .beginArray: levels.append(Level(start: open.count, isDictionary: false))
        case .beginDictionary: levels.append(Level(start: open.count, isDictionary: true))
        case .endArray, .endDictionary: try endContainer(&output)
        case .key(let text):
            if let known = keys.number(of: text) {
                open.append(known)
            } else {
                let number = try add(.string(text), to: &output)
                keys.keep(text, number)
            }
        case .string(let text):
            if let known = strings.number(of: text) {
                open.append(known)
            } else {
                let number = try add(.string(text), to: &output)
                strings.keep(text, number)
            }
        case .boolean(let value):
            if let known = value ? booleans.yes : booleans.no {
                open.append(known)
            } else {
                let number = try add(.boolean(value), to: &output)
                if value { booleans.yes = number } else { booleans.no = number }
            }
        case .integer, .unsigned, .real, .date, .data, .uid:
            if let value = event.scalar { _ = try add(value, to: &output) }
        }
        position += UInt64(output.count - start)
    }

    /// Writes the start of data; the caller appends its bytes.
    mutating func beginData(_ count: Int, into output: inout [UInt8]) throws(GranaryError) {
        try nesting.take(.data([]))
        open.append(try newObject())
        let start = output.count
        BinaryObjectEncoder.appendMarker(0x40, count: count, to: &output)
        position += UInt64(output.count - start) + UInt64(max(0, count))
    }

    /// Writes the table of offsets and the trailer. `drain` is called after each piece of the table and may empty the
    /// buffer.
    package mutating func finish(
        into output: inout [UInt8], drain: (inout [UInt8]) throws(GranaryError) -> Void = { _ in }
    ) throws(GranaryError) {
        guard nesting.isComplete, let root = open.first else {
            throw GranaryError(.internalDefect, "a property list is finished before its root value is complete")
        }
        let offsetSize = BinaryObjectEncoder.size(position)
        for (index, offset) in offsets.enumerated() {
            BinaryObjectEncoder.append(offset, size: offsetSize, to: &output)
            if index & 0xFFF == 0xFFF { try drain(&output) }
        }
        BinaryObjectEncoder.appendTrailer(
            offsetSize: offsetSize, referenceSize: Self.referenceSize, objectCount: offsets.count, root: Int(root),
            tableStart: position, to: &output)
        try drain(&output)
    }

    /// Writes a scalar object, and adds a reference to it to the open container.
    private mutating func add(_ value: PropertyListValue, to output: inout [UInt8]) throws(GranaryError) -> UInt32 {
        let number = try newObject()
        open.append(number)
        BinaryObjectEncoder.append(value, to: &output)
        return number
    }

    private mutating func newObject() throws(GranaryError) -> UInt32 {
        guard let number = UInt32(exactly: offsets.count), number < .max else {
            throw GranaryError(
                Diagnostic(.limitExceeded, "a binary property list has more than \(UInt32.max) objects, the limit")
            )
        }
        offsets.append(position)
        return number
    }

    private mutating func endContainer(_ output: inout [UInt8]) throws(GranaryError) {
        guard let level = levels.popLast() else { return }
        let number = try newObject()
        // Indexes instead of a slice: a slice would share the array, so that removing its end would copy the whole
        // array.
        let count = open.count - level.start
        if level.isDictionary {
            BinaryObjectEncoder.appendMarker(0xD0, count: count / 2, to: &output)
            for parity in 0...1 {
                for index in stride(from: level.start + parity, to: open.count, by: 2) {
                    BinaryObjectEncoder.append(UInt64(open[index]), size: Self.referenceSize, to: &output)
                }
            }
        } else {
            BinaryObjectEncoder.appendMarker(0xA0, count: count, to: &output)
            for index in level.start..<open.count {
                BinaryObjectEncoder.append(UInt64(open[index]), size: Self.referenceSize, to: &output)
            }
        }
        open.removeSubrange(level.start...)
        open.append(number)
    }
}

/// The numbers of the first strings written. The cache is bounded, so that memory is bounded.
private struct TextCache {
    let limit: Int
    let longest: Int
    private var numbers: [ByteText: UInt32] = [:]

    init(limit: Int, longest: Int) {
        self.limit = limit
        self.longest = longest
    }

    func number(of text: String) -> UInt32? {
        text.utf8.count <= longest ? numbers[ByteText(text: text)] : nil
    }

    mutating func keep(_ text: String, _ number: UInt32) {
        if numbers.count < limit, text.utf8.count <= longest { numbers[ByteText(text: text)] = number }
    }
}
