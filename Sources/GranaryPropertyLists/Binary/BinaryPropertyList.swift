package import GranaryBase

/// A binary property list as a table of numbered objects, which are read on demand.
///
/// The layout is that of `CFBinaryPList.c` in Apple's open-source CoreFoundation: `bplist00`, the objects, a table of
/// their offsets, a trailer of 32 bytes. Opening the list checks the trailer and every offset. Reading an object checks
/// its counts against the remaining bytes. References are not followed automatically, so cycles of objects are
/// harmless. The list needs memory for the bytes of the file only.
package struct BinaryPropertyList: Sendable {
    /// The name of the file in messages.
    package let source: String
    /// The number of objects, which are numbered from 0.
    package let objectCount: Int
    /// The number of the root object.
    package let root: Int
    let bytes: [UInt8]
    /// The offset of the offset table, which is the end of the objects.
    let tableStart: Int
    let offsetSize: Int
    let referenceSize: Int

    static let trailerSize = 32
    static let magic = Array("bplist00".utf8)

    /// Opens a list, and checks its trailer and offset table.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` at the invalid byte.
    package init(_ bytes: [UInt8], source: String) throws(GranaryError) {
        func wrong(_ message: String, _ offset: Int) -> GranaryError {
            PropertyListError.syntax(message, PropertyListPlace(byteOffset: offset), source)
        }
        guard bytes.starts(with: Self.magic) else {
            throw wrong("not a binary property list: it does not begin with bplist00", 0)
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
            throw wrong("the offset table cannot be at byte \(start)", trailer + 24)
        }
        tableStart = Int(start)
        // A division, because a product with a count near 2^64 would overflow.
        let room = trailer - tableStart
        guard room % offsetSize == 0, count == UInt64(room / offsetSize) else {
            throw wrong("an offset table of \(room) bytes cannot hold \(count) objects", trailer + 8)
        }
        objectCount = room / offsetSize
        guard top < count else { throw wrong("the root is object \(top) of \(count)", trailer + 16) }
        root = Int(top)
        guard Self.holds(count, in: referenceSize) else {
            throw wrong("references of \(referenceSize) bytes are too small for \(count) objects", trailer + 7)
        }
        guard Self.holds(start, in: offsetSize) else {
            throw wrong("offsets of \(offsetSize) bytes are too small for byte \(start)", trailer + 6)
        }
        for entry in stride(from: tableStart, to: trailer, by: offsetSize) {
            let offset = Self.bigEndian(bytes, at: entry, size: offsetSize)
            guard offset >= UInt64(Self.magic.count), offset < start else {
                throw wrong("an object cannot be at byte \(offset)", entry)
            }
        }
        self.bytes = bytes
        self.source = source
    }

    /// An unsigned number of up to 8 bytes. The caller has checked the range.
    static func bigEndian(_ bytes: [UInt8], at start: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<start + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    private static func holds(_ value: UInt64, in size: Int) -> Bool {
        size == 8 || value < 1 << (8 * UInt64(size))
    }

    /// The offset of an object, whose number must be below ``objectCount``.
    func offset(of object: Int) -> Int {
        Int(Self.bigEndian(bytes, at: tableStart + object * offsetSize, size: offsetSize))
    }

    /// The position of an object, for messages.
    package func place(of object: Int) -> PropertyListPlace {
        PropertyListPlace(byteOffset: object >= 0 && object < objectCount ? offset(of: object) : 0)
    }

    func syntaxError(_ message: String, at offset: Int) -> GranaryError {
        PropertyListError.syntax(message, PropertyListPlace(byteOffset: offset), source)
    }

    /// Returns an error at the position of an object.
    package func error(_ message: String, at object: Int) -> GranaryError {
        PropertyListError.syntax(message, place(of: object), source)
    }
}

/// The contents of objects, copied.
extension BinaryPropertyList {
    /// The text of a string object; nil for other objects.
    ///
    /// - Throws: ``GranaryError`` with `encoding.invalid` for invalid text.
    package func string(_ object: Int) throws(GranaryError) -> String? {
        switch try node(object) {
        case .asciiString(let range): try asciiText(range)
        case .utf16String(let range): try utf16Text(range)
        default: nil
        }
    }

    /// Whether an object is a string with this ASCII text.
    package func isString(_ object: Int, named name: String) throws(GranaryError) -> Bool {
        switch try node(object) {
        case .asciiString(let range):
            // Most other names have another length, so few are compared.
            return range.count == name.utf8.count && bytes[range].elementsEqual(name.utf8)
        case .utf16String(let range):
            // The length is compared first: a long text need not be decoded.
            guard range.count == 2 * name.utf8.count else { return false }
            return try utf16Text(range).utf8.elementsEqual(name.utf8)
        default: return false
        }
    }

    /// The bytes in the range of a ``Node/data(_:)``.
    package func data(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    func asciiText(_ range: Range<Int>) throws(GranaryError) -> String {
        let slice = bytes[range]
        guard slice.allSatisfy({ $0 < 0x80 }) else {
            throw encodingError("an ASCII string has bytes above 0x7F", at: range)
        }
        return String(decoding: slice, as: UTF8.self)
    }

    func utf16Text(_ range: Range<Int>) throws(GranaryError) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(range.count / 2)
        var needsLow = false
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            // Swift would silently replace an unpaired surrogate by U+FFFD.
            guard UTF16.isTrailSurrogate(unit) == needsLow else { break }
            needsLow = UTF16.isLeadSurrogate(unit)
            units.append(unit)
        }
        guard units.count == range.count / 2, !needsLow else {
            throw encodingError("a string has an unpaired surrogate", at: range)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private func encodingError(_ message: String, at range: Range<Int>) -> GranaryError {
        PropertyListError.encoding(message, PropertyListPlace(byteOffset: range.lowerBound), source)
    }
}
