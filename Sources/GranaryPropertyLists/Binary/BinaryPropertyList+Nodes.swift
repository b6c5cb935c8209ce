package import GranaryBase

extension BinaryPropertyList {
    /// One object, without its contents.
    package enum Node: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// Only numbers that an `Int64` cannot hold.
        case unsigned(UInt64)
        case real(Double)
        /// Seconds since 2001-01-01 00:00:00 UTC; finite.
        case date(Double)
        /// The range of the bytes in the file.
        case data(Range<Int>)
        case asciiString(Range<Int>)
        case utf16String(Range<Int>)
        case uid(UInt64)
        /// An array or a set.
        case array(References)
        case dictionary(keys: References, values: References)
    }

    /// A sequence of object numbers in the file.
    package struct References: Sendable {
        package let count: Int
        let start: Int
    }

    /// Reads one object.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` for an unknown marker, or a count larger than the remaining
    ///   bytes.
    package func node(_ object: Int) throws(GranaryError) -> Node {
        guard object >= 0, object < objectCount else {
            throw syntaxError("there is no object \(object), only \(objectCount) objects", at: tableStart)
        }
        let start = offset(of: object)
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x0: return .null
            case 0x8: return .boolean(false)
            case 0x9: return .boolean(true)
            default: throw unknown(marker, at: start)
            }
        case 0x1: return try integer(low, at: start)
        case 0x2: return .real(try real(low, at: start))
        case 0x3:
            guard low == 3 else { throw unknown(marker, at: start) }
            let seconds = Double(bitPattern: try number(8, at: start))
            guard seconds.isFinite else { throw syntaxError("a date is not a finite number", at: start) }
            return .date(seconds)
        case 0x4: return .data(try contents(low, unit: 1, at: start))
        case 0x5: return .asciiString(try contents(low, unit: 1, at: start))
        case 0x6: return .utf16String(try contents(low, unit: 2, at: start))
        case 0x8:
            guard low < 8 else { throw unknown(marker, at: start) }
            return .uid(try number(low + 1, at: start))
        // 0xB is CoreFoundation's ordered set, 0xC its set.
        case 0xA, 0xB, 0xC:
            let range = try contents(low, unit: referenceSize, at: start)
            return .array(References(count: range.count / referenceSize, start: range.lowerBound))
        case 0xD:
            let range = try contents(low, unit: 2 * referenceSize, at: start)
            let count = range.count / (2 * referenceSize)
            return .dictionary(
                keys: References(count: count, start: range.lowerBound),
                values: References(count: count, start: range.lowerBound + count * referenceSize))
        default: throw unknown(marker, at: start)
        }
    }

    /// The object number at an index of a sequence.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` if there is no such object or no such index.
    package func reference(_ index: Int, in references: References) throws(GranaryError) -> Int {
        guard index >= 0, index < references.count else {
            throw syntaxError("there is no reference \(index) of \(references.count)", at: references.start)
        }
        let start = references.start + index * referenceSize
        let object = Self.bigEndian(bytes, at: start, size: referenceSize)
        guard object < UInt64(objectCount) else {
            throw syntaxError("a reference to object \(object), but there are only \(objectCount) objects", at: start)
        }
        return Int(object)
    }

    private func unknown(_ marker: UInt8, at start: Int) -> GranaryError {
        syntaxError("0x\(String(marker, radix: 16)) is not the marker of an object", at: start)
    }

    /// The number in the `size` bytes (up to 8) after the marker.
    private func number(_ size: Int, at start: Int) throws(GranaryError) -> UInt64 {
        guard size <= tableStart - start - 1 else { throw cutOff(at: start) }
        return Self.bigEndian(bytes, at: start + 1, size: size)
    }

    private func cutOff(at start: Int) -> GranaryError {
        syntaxError("an object is longer than the rest of the objects", at: start)
    }

    /// Integers of 1, 2 and 4 bytes are unsigned; 8 bytes are signed; 16 bytes hold numbers above an `Int64`.
    private func integer(_ power: Int, at start: Int) throws(GranaryError) -> Node {
        switch power {
        case 0...2: return .integer(Int64(try number(1 << power, at: start)))
        case 3: return .integer(Int64(bitPattern: try number(8, at: start)))
        case 4:
            guard tableStart - start > 16 else { throw cutOff(at: start) }
            let high = Self.bigEndian(bytes, at: start + 1, size: 8)
            let low = Self.bigEndian(bytes, at: start + 9, size: 8)
            if high == 0 { return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low) }
            let signed = Int64(bitPattern: low)
            guard high == .max, signed < 0 else { throw syntaxError("an integer of more than 64 bits", at: start) }
            return .integer(signed)
        default: throw syntaxError("an integer of 2^\(power) bytes", at: start)
        }
    }

    private func real(_ power: Int, at start: Int) throws(GranaryError) -> Double {
        switch power {
        case 2: return Double(Float(bitPattern: UInt32(try number(4, at: start))))
        case 3: return Double(bitPattern: try number(8, at: start))
        default: throw syntaxError("a real number of 2^\(power) bytes", at: start)
        }
    }

    /// The range of an object's contents. The count is in the marker or, if that is 15, after it.
    private func contents(_ low: Int, unit: Int, at start: Int) throws(GranaryError) -> Range<Int> {
        var first = start + 1
        var count = low
        if low == 0x0F {
            guard first < tableStart else { throw cutOff(at: start) }
            let marker = bytes[first]
            guard marker >> 4 == 1, marker & 0x0F <= 3 else {
                throw syntaxError("0x\(String(marker, radix: 16)) is not a valid count", at: first)
            }
            let size = 1 << Int(marker & 0x0F)
            guard let value = Int(exactly: try number(size, at: first)) else {
                throw syntaxError("a count that is too large", at: first)
            }
            count = value
            first += 1 + size
        }
        guard count <= (tableStart - first) / unit else {
            throw syntaxError("\(count) elements, but only \(tableStart - first) bytes are left", at: start)
        }
        return first..<first + count * unit
    }
}
