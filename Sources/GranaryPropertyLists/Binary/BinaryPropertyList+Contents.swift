package import GranaryBase

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
