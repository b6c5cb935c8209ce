package import GranaryBase

/// A binary property list as the table it is: objects by number, each looked at when asked for.
///
/// The layout is that of `CFBinaryPList.c` in Apple's open CoreFoundation: `bplist00`, the objects, a table of their
/// offsets, a trailer of 32 bytes. Opening checks the trailer and every offset; reading an object checks its counts
/// against the bytes that are there. Nothing is followed by itself, so a list whose objects hold each other in a
/// circle does no harm. Memory is the file's bytes and no more.
package struct BinaryPropertyList: Sendable {
    /// What messages call the file.
    package let source: String
    /// How many objects the table has; they are numbered from 0.
    package let objectCount: Int
    /// The number of the outermost object.
    package let root: Int
    let bytes: [UInt8]
    /// Where the objects end and the offset table begins.
    let tableStart: Int
    let offsetSize: Int
    let referenceSize: Int

    static let trailerSize = 32
    static let magic = Array("bplist00".utf8)

    /// Checks the outer layout.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, at the byte that is wrong.
    package init(_ bytes: [UInt8], source: String) throws(GranaryError) {
        func wrong(_ message: String, _ offset: Int) -> GranaryError {
            PropertyListError.syntax(message, PropertyListPlace(byteOffset: offset), source)
        }
        guard bytes.starts(with: Self.magic) else {
            throw wrong("this is no binary property list: it does not begin with bplist00", 0)
        }
        let trailer = bytes.count - Self.trailerSize
        guard trailer > Self.magic.count else {
            throw wrong("the file is too short for a binary property list", bytes.count)
        }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize else { throw wrong("an offset of \(offsetSize) bytes is not 1 to 8", trailer + 6) }
        guard 1...8 ~= referenceSize else {
            throw wrong("a reference of \(referenceSize) bytes is not 1 to 8", trailer + 7)
        }
        let count = Self.bigEndian(bytes, at: trailer + 8, size: 8)
        let top = Self.bigEndian(bytes, at: trailer + 16, size: 8)
        let start = Self.bigEndian(bytes, at: trailer + 24, size: 8)
        guard start > UInt64(Self.magic.count), start < UInt64(trailer) else {
            throw wrong("the offset table cannot stand at byte \(start)", trailer + 24)
        }
        tableStart = Int(start)
        // Compared by division: a count near 2^64 would overflow the product.
        let room = trailer - tableStart
        guard room % offsetSize == 0, count == UInt64(room / offsetSize) else {
            throw wrong("\(count) objects do not fit an offset table of \(room) bytes", trailer + 8)
        }
        objectCount = room / offsetSize
        guard top < count else { throw wrong("the root object \(top) is none of the \(count) objects", trailer + 16) }
        root = Int(top)
        guard Self.holds(count, in: referenceSize) else {
            throw wrong("references of \(referenceSize) bytes cannot name \(count) objects", trailer + 7)
        }
        guard Self.holds(start, in: offsetSize) else {
            throw wrong("offsets of \(offsetSize) bytes cannot reach byte \(start)", trailer + 6)
        }
        for entry in stride(from: tableStart, to: trailer, by: offsetSize) {
            let offset = Self.bigEndian(bytes, at: entry, size: offsetSize)
            guard offset >= UInt64(Self.magic.count), offset < start else {
                throw wrong("an object cannot stand at byte \(offset)", entry)
            }
        }
        self.bytes = bytes
        self.source = source
    }

    /// An unsigned number of up to 8 bytes. The caller knows that they are there.
    static func bigEndian(_ bytes: [UInt8], at start: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<start + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    private static func holds(_ value: UInt64, in size: Int) -> Bool {
        size == 8 || value < 1 << (8 * UInt64(size))
    }

    /// Where an object begins; its number is below ``objectCount``.
    func offset(of object: Int) -> Int {
        Int(Self.bigEndian(bytes, at: tableStart + object * offsetSize, size: offsetSize))
    }

    /// Where an object stands, for messages.
    package func place(of object: Int) -> PropertyListPlace {
        PropertyListPlace(byteOffset: object >= 0 && object < objectCount ? offset(of: object) : 0)
    }

    func syntaxError(_ message: String, at offset: Int) -> GranaryError {
        PropertyListError.syntax(message, PropertyListPlace(byteOffset: offset), source)
    }

    /// A refusal at an object of the list.
    package func error(_ message: String, at object: Int) -> GranaryError {
        PropertyListError.syntax(message, place(of: object), source)
    }
}

/// What objects hold, copied out.
extension BinaryPropertyList {
    /// The text of a string object; nil where the object is none.
    ///
    /// - Throws: ``GranaryError`` with `encoding.invalid` for bytes that are no text.
    package func string(_ object: Int) throws(GranaryError) -> String? {
        switch try node(object) {
        case .asciiString(let range): try asciiText(range)
        case .utf16String(let range): try utf16Text(range)
        default: nil
        }
    }

    /// Whether an object is a string of these ASCII bytes; makes no `String`.
    package func isString(_ object: Int, _ text: StaticString) throws(GranaryError) -> Bool {
        guard case .asciiString(let range) = try node(object), range.count == text.utf8CodeUnitCount else {
            return false
        }
        // The pointer of a `StaticString` lives as long as the process.
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes[range].elementsEqual(expected)
    }

    /// As ``isString(_:_:)`` for a name that is made at run time; `name` is ASCII.
    package func isString(_ object: Int, named name: String) throws(GranaryError) -> Bool {
        switch try node(object) {
        case .asciiString(let range):
            // Most names that are looked at are others, and few of these are as long.
            return range.count == name.utf8.count && bytes[range].elementsEqual(name.utf8)
        case .utf16String(let range):
            // Of another length it is another name, however long it is to decode.
            guard range.count == 2 * name.utf8.count else { return false }
            return try utf16Text(range).utf8.elementsEqual(name.utf8)
        default: return false
        }
    }

    /// Bytes of the file, as ``Node/data(_:)`` says where.
    package func data(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    func asciiText(_ range: Range<Int>) throws(GranaryError) -> String {
        let slice = bytes[range]
        guard slice.allSatisfy({ $0 < 0x80 }) else {
            throw encodingError("an ASCII string has bytes above 127", at: range)
        }
        return String(decoding: slice, as: UTF8.self)
    }

    func utf16Text(_ range: Range<Int>) throws(GranaryError) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(range.count / 2)
        var needsLow = false
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            // Swift would put U+FFFD in silently, and the text would not come back as it was.
            guard UTF16.isTrailSurrogate(unit) == needsLow else { break }
            needsLow = UTF16.isLeadSurrogate(unit)
            units.append(unit)
        }
        guard units.count == range.count / 2, !needsLow else {
            throw encodingError("a string has half a surrogate pair", at: range)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private func encodingError(_ message: String, at range: Range<Int>) -> GranaryError {
        PropertyListError.encoding(message, PropertyListPlace(byteOffset: range.lowerBound), source)
    }
}
