/// Converts text in any encoding to UTF-8, strictly and in pieces.
///
/// Each code unit becomes its character or, if it is invalid, a ``TextEscape``. ``TextEncoding/encode(_:into:)``
/// restores the source's bytes. A byte order mark is decoded as the character U+FEFF.
package struct TextDecoder {
    private let encoding: TextEncoding
    private let characters: [UInt16]
    /// The number of bytes decoded.
    private var offset = 0

    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
        characters = encoding.characters
    }

    /// Decodes the next bytes and appends their text.
    ///
    /// - Returns: the number of bytes used. Up to three bytes at the end are left for the next piece, unless `isLast`.
    package mutating func decode(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: inout [UInt8]
    ) -> Int {
        let used: Int
        switch encoding.kind {
        case .utf8:
            output.append(contentsOf: input)
            used = input.count
        case .utf16, .utf16BE: used = decodeUTF16(input, high: 0, isLast: isLast, into: &output)
        case .utf16LE: used = decodeUTF16(input, high: 1, isLast: isLast, into: &output)
        case .utf32, .utf32BE: used = decodeUTF32(input, isLittleEndian: false, isLast: isLast, into: &output)
        case .utf32LE: used = decodeUTF32(input, isLittleEndian: true, isLast: isLast, into: &output)
        case .isoLatin1, .windows1252, .macRoman, .ascii:
            decodeBytes(input, into: &output)
            used = input.count
        }
        offset += used
        return used
    }

    private func decodeBytes(_ input: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        var index = 0
        while index < input.count {
            let end = UTF8Text.endOfASCII(input, from: index)
            if end > index { output.append(contentsOf: UnsafeBufferPointer(rebasing: input[index..<end])) }
            index = end
            guard index < input.count else { return }
            // The table has 128 entries: one for each byte from 0x80 on.
            let character = characters[Int(input[index] & 0x7F)]
            if character == 0 {
                escape(input, index, count: 1, into: &output)
            } else {
                UTF8Text.append(UInt32(character), to: &output)
            }
            index += 1
        }
    }

    /// - Parameter high: the index of the high byte in a pair of bytes, 0 or 1.
    private func decodeUTF16(
        _ input: UnsafeBufferPointer<UInt8>, high: Int, isLast: Bool, into output: inout [UInt8]
    ) -> Int {
        func unit(_ index: Int) -> UInt32 { UInt32(input[index + high]) << 8 | UInt32(input[index + 1 - high]) }
        var index = 0
        while input.count - index >= 2 {
            let first = unit(index)
            if first & 0xF800 != 0xD800 {
                UTF8Text.append(first, to: &output)
                index += 2
                continue
            }
            if first < 0xDC00 {
                let isPairThere = input.count - index >= 4
                guard isPairThere || isLast else { return index }
                if isPairThere, unit(index + 2) & 0xFC00 == 0xDC00 {
                    UTF8Text.append(0x10000 + ((first & 0x3FF) << 10 | unit(index + 2) & 0x3FF), to: &output)
                    index += 4
                    continue
                }
            }
            // An unpaired surrogate. The next unit is decoded separately.
            escape(input, index, count: 2, into: &output)
            index += 2
        }
        guard isLast, index < input.count else { return index }
        escape(input, index, count: input.count - index, into: &output)
        return input.count
    }

    private func decodeUTF32(
        _ input: UnsafeBufferPointer<UInt8>, isLittleEndian: Bool, isLast: Bool, into output: inout [UInt8]
    ) -> Int {
        var index = 0
        while input.count - index >= 4 {
            let raw = UnsafeRawBufferPointer(input).loadUnaligned(fromByteOffset: index, as: UInt32.self)
            let value = isLittleEndian ? UInt32(littleEndian: raw) : UInt32(bigEndian: raw)
            if value < 0xD800 || (0xE000...0x10FFFF).contains(value) {
                UTF8Text.append(value, to: &output)
            } else {
                escape(input, index, count: 4, into: &output)
            }
            index += 4
        }
        guard isLast, index < input.count else { return index }
        escape(input, index, count: input.count - index, into: &output)
        return input.count
    }

    private func escape(
        _ input: UnsafeBufferPointer<UInt8>, _ index: Int, count: Int, into output: inout [UInt8]
    ) {
        TextEscape.append(input[index..<index + count], offset: offset + index, to: &output)
    }
}
