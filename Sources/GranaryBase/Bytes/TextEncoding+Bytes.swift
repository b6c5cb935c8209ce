extension TextEncoding {
    /// Encodes text that was decoded from this encoding, and restores invalid bytes from their escapes.
    ///
    /// `utf16` and `utf32` are written big-endian: ``ByteSource/encoding`` has the byte order of a source.
    ///
    /// - Returns: false if a character is not in the encoding, which text from another source can have. Nothing is
    ///   appended then.
    package func encode(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Bool {
        guard kind != .utf8 else {
            output.append(contentsOf: text)
            return true
        }
        let start = output.count
        let characters = characters
        var index = 0
        while index < text.count {
            if let escape = TextEscape(in: text, at: index) {
                output.append(contentsOf: escape.unit)
                index += escape.length
            } else if let scalar = UTF8Text.scalar(in: text, at: index),
                append(scalar.value, characters, to: &output)
            {
                index += scalar.length
            } else {
                output.removeSubrange(start...)
                return false
            }
        }
        return true
    }

    package func encode(_ text: [UInt8], into output: inout [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { encode($0, into: &output) }
    }

    /// The first character of a text that is not in the encoding; nil if all are. The text is valid UTF-8.
    package func firstMissing(in text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        guard !isUnicode else { return nil }
        var index = UTF8Text.endOfASCII(text, from: 0)
        guard index < text.count else { return nil }
        let characters = characters
        while index < text.count {
            guard let scalar = UTF8Text.scalar(in: text, at: index) else { return "\u{FFFD}" }
            if scalar.value >= 0x80, !characters.contains(where: { UInt32($0) == scalar.value }) {
                return Unicode.Scalar(scalar.value)
            }
            index = UTF8Text.endOfASCII(text, from: index + scalar.length)
        }
        return nil
    }

    /// The error for a text with a character that is not in the encoding; nil if there is none.
    package func refusal(of text: UnsafeBufferPointer<UInt8>) -> GranaryError? {
        guard let scalar = firstMissing(in: text) else { return nil }
        let shown = VisibleText.escaped(String(scalar))
        return GranaryError(
            Diagnostic(
                .encodingInvalid,
                "the character \(shown) (\(CharacterName.code(scalar))) cannot be written in \(name)", value: shown,
                help: "--encoding utf-8"))
    }

    /// Describes the invalid bytes at `index` of decoded text, the index that ``UTF8Text/firstInvalid(in:)`` returned.
    package func problem(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> String {
        guard text.indices.contains(index) else { return "the text is not \(name)" }
        guard kind != .utf8 else {
            return "the byte 0x\(Self.hexadecimal([text[index]])) is not valid UTF-8; Excel usually writes windows-1252"
        }
        // The text is cut off inside the escape.
        guard let escape = TextEscape(in: text, at: index) else { return "a character here is not \(name)" }
        let unit = escape.unit
        let found: String
        switch (kind, unit.count) {
        case (.utf16, 2), (.utf16BE, 2), (.utf16LE, 2):
            let value = kind == .utf16LE ? unit.reversed() : unit
            found = "0x\(Self.hexadecimal(value)) is an unpaired surrogate in \(name)"
        case (.utf32, 4), (.utf32BE, 4), (.utf32LE, 4):
            let value = kind == .utf32LE ? unit.reversed() : unit
            found = "0x\(Self.hexadecimal(value)) is not a character in \(name)"
        case (.utf16, _), (.utf16BE, _), (.utf16LE, _), (.utf32, _), (.utf32BE, _), (.utf32LE, _):
            found = "the text ends inside a character in \(name), 0x\(Self.hexadecimal(unit))"
        default: found = "the byte 0x\(Self.hexadecimal(unit)) is not \(name)"
        }
        return "\(found) (byte \(escape.offset) of the undecoded text)"
    }

    /// Whether decoded text has an escape at `index`.
    package func isEscape(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        kind != .utf8 && text.indices.contains(index) && text[index] == TextEscape.opening
    }

    private func append(_ scalar: UInt32, _ characters: [UInt16], to output: inout [UInt8]) -> Bool {
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift) }
        switch kind {
        case .utf8: UTF8Text.append(scalar, to: &output)
        case .utf16, .utf16BE, .utf16LE:
            guard scalar >= 0x10000 else {
                append(UInt16(truncatingIfNeeded: scalar), to: &output)
                return true
            }
            append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10), to: &output)
            append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF), to: &output)
        case .utf32, .utf32BE: output.append(contentsOf: [byte(24), byte(16), byte(8), byte(0)])
        case .utf32LE: output.append(contentsOf: [byte(0), byte(8), byte(16), byte(24)])
        case .isoLatin1, .windows1252, .macRoman, .ascii:
            guard scalar >= 0x80 else {
                output.append(byte(0))
                return true
            }
            guard let place = characters.firstIndex(where: { UInt32($0) == scalar }) else { return false }
            output.append(0x80 | UInt8(truncatingIfNeeded: place))
        }
        return true
    }

    private func append(_ unit: UInt16, to output: inout [UInt8]) {
        let high = UInt8(truncatingIfNeeded: unit >> 8)
        let low = UInt8(truncatingIfNeeded: unit)
        output.append(kind == .utf16LE ? low : high)
        output.append(kind == .utf16LE ? high : low)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined()
    }
}
