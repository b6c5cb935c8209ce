package import GranaryBase

/// Writes a binary property list of any size from events.
///
/// The caller hands in a buffer with each event and empties it as it likes; nothing written is needed again. What
/// stays in memory: 8 bytes for each object's offset, 4 for each child of the containers that are open, and caches
/// of the keys and short strings that came first. Containers stand behind what they hold, the root last. That is
/// as valid as CoreFoundation's order, which cannot be written without knowing the whole list.
package struct BinaryPropertyListStreamWriter {
    private struct Level {
        /// Where its references begin among those that are open.
        let start: Int
        let isDictionary: Bool
    }

    private var nesting = PropertyListNesting()
    private var levels: [Level] = []
    /// The children of all open containers; in a dictionary keys and values in turn.
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
    ///   in an impossible order.
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
                let number = try newObject()
                keys.keep(text, number)
                open.append(number)
                BinaryObjectEncoder.appendString(text, to: &output)
            }
        case .string(let text):
            if let known = strings.number(of: text) {
                open.append(known)
            } else {
                let number = try newObject()
                strings.keep(text, number)
                open.append(number)
                BinaryObjectEncoder.appendString(text, to: &output)
            }
        case .boolean(let value):
            let number: UInt32
            if let known = value ? booleans.yes : booleans.no {
                number = known
            } else {
                number = try newObject()
                BinaryObjectEncoder.appendBoolean(value, to: &output)
                if value { booleans.yes = number } else { booleans.no = number }
            }
            open.append(number)
        case .integer(let value):
            open.append(try newObject())
            BinaryObjectEncoder.appendInteger(value, to: &output)
        case .unsigned(let value):
            open.append(try newObject())
            BinaryObjectEncoder.appendUnsigned(value, to: &output)
        case .real(let value, _):
            open.append(try newObject())
            BinaryObjectEncoder.appendReal(value, to: &output)
        case .date(let value):
            open.append(try newObject())
            BinaryObjectEncoder.appendDate(value, to: &output)
        case .data(let bytes):
            open.append(try newObject())
            BinaryObjectEncoder.appendData(bytes, to: &output)
        case .uid(let value):
            open.append(try newObject())
            BinaryObjectEncoder.appendUID(value, to: &output)
        }
        position += UInt64(output.count - start)
    }

    /// Writes the table of offsets and the trailer. The table goes out in pieces: `drain` may empty the buffer.
    package mutating func finish(
        into output: inout [UInt8], drain: (inout [UInt8]) throws(GranaryError) -> Void = { _ in }
    ) throws(GranaryError) {
        guard nesting.isComplete, let root = open.first else {
            throw GranaryError(.internalDefect, "a property list is finished before its root value is")
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

    private mutating func newObject() throws(GranaryError) -> UInt32 {
        guard let number = UInt32(exactly: offsets.count), number < .max else {
            throw GranaryError(
                Diagnostic(.limitExceeded, "a binary property list holds at most \(UInt32.max) objects here, the limit")
            )
        }
        offsets.append(position)
        return number
    }

    private mutating func endContainer(_ output: inout [UInt8]) throws(GranaryError) {
        guard let level = levels.popLast() else { return }
        let number = try newObject()
        // Indexes, not a slice: a slice would share the array, and taking its end off would copy all of it.
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

/// The numbers of the strings that were written first; bounded, so that memory stays so.
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
