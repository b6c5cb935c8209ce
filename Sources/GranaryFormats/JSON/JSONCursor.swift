/// A tokeniser for JSON text (RFC 8259) in a buffer.
///
/// Each function starts at the first byte of a token and leaves ``position`` after the token. If the buffer ends early
/// and is not the last one, it throws `needsMore`; the caller reads more and restarts the whole value, so no state is
/// kept between chunks.
struct JSONCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether ``bytes`` reach to the end of the source.
    let isFinal: Bool
    let limits: JSONReader.Options
    var position = 0
    /// Whether skipped white space contained a line end.
    var hasLineEnd = false
    /// The first fault after which scanning can continue: text that a string cannot contain.
    var problem: JSONFault?

    init(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, limits: JSONReader.Options) {
        self.bytes = bytes
        self.isFinal = isFinal
        self.limits = limits
    }

    /// The fault for bytes that end early.
    func end(_ kind: JSONFault.Kind = .ended, at offset: Int? = nil) -> JSONFault {
        isFinal ? JSONFault(kind, at: offset ?? bytes.count) : JSONFault(.needsMore, at: bytes.count)
    }

    /// The byte at the position. The bytes must not end here.
    @inline(__always)
    func current() throws(JSONFault) -> UInt8 {
        guard position < bytes.count else { throw end() }
        return bytes[position]
    }

    mutating func note(_ kind: JSONFault.Kind, at offset: Int) {
        if problem == nil { problem = JSONFault(kind, at: offset) }
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09: break
            case 0x0A, 0x0D: hasLineEnd = true
            default: return
            }
            position += 1
        }
    }

    /// Skips white space and returns the next byte. The bytes must not end here.
    @inline(__always)
    mutating func token() throws(JSONFault) -> UInt8 {
        // Most files have no white space here.
        if position < bytes.count, bytes[position] > 0x20 { return bytes[position] }
        skipWhitespace()
        return try current()
    }

    /// The fault for an unexpected byte; a comment has its own message.
    func unexpected(_ kind: JSONFault.Kind) -> JSONFault {
        let isComment = position < bytes.count && (bytes[position] == UInt8(ascii: "/"))
        return JSONFault(isComment ? .comment : kind, at: position)
    }

    /// Skips the colon after a member name, and the white space around it.
    @inline(__always)
    mutating func skipColon() throws(JSONFault) {
        guard try token() == UInt8(ascii: ":") else { throw unexpected(.expectedColon) }
        position += 1
        skipWhitespace()
    }

    // MARK: Strings

    /// Scans a string with its quotes and appends its text to `output`.
    mutating func scanString(into output: inout [UInt8], keeps: Bool = true) throws(JSONFault) {
        let opening = position
        let outputStart = output.count
        position += 1
        var runStart = position
        while true {
            position = firstSpecial(from: position)
            guard position < bytes.count else { throw end(.openString, at: opening) }
            let byte = bytes[position]
            if byte >= 0x80 {
                try skipSequence()
                continue
            }
            if keeps, position > runStart {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[runStart..<position]))
            }
            if byte == UInt8(ascii: "\"") {
                position += 1
                if output.count - outputStart > limits.maximumFieldBytes { note(.stringTooLong, at: opening) }
                return
            }
            guard byte == UInt8(ascii: "\\") else { throw JSONFault(.controlCharacter, at: position) }
            let scalar = try scanEscape()
            if keeps {
                output.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            }
            runStart = position
        }
    }

    /// The offset of the next byte that is a quote, a backslash, a control character or not ASCII.
    @inline(__always)
    private func firstSpecial(from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        // Eight bytes at once. A borrow can mark a wrong byte, but only above a byte that is marked correctly.
        while index + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let marks =
                ((word &- (ones &* 0x20)) | (quote &- ones) | (backslash &- ones) | word) & (ones &* 0x80)
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < raw.count {
            let byte = raw[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { return index }
            index += 1
        }
        return index
    }

    /// Skips one UTF-8 sequence of two to four bytes (Unicode 3.9, table 3-7); an invalid byte is noted and skipped.
    private mutating func skipSequence() throws(JSONFault) {
        let first = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: length = 0
        }
        if position + length > bytes.count, !isFinal { throw end() }
        var isValid = length > 0 && position + length <= bytes.count && second.contains(bytes[position + 1])
        if isValid {
            for index in 2..<max(length, 2) where bytes[position + index] & 0xC0 != 0x80 { isValid = false }
        }
        if !isValid { note(.invalidUTF8, at: position) }
        position += isValid ? length : 1
    }

    /// Decodes one escape; an unpaired surrogate is noted and becomes U+FFFD.
    private mutating func scanEscape() throws(JSONFault) -> UnicodeScalar {
        let start = position
        guard position + 1 < bytes.count else { throw end() }
        let letter = bytes[position + 1]
        position += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw JSONFault(.escape, at: start + 1)
        }
        let unit = try scanHexadecimal()
        if unit == 0, !limits.allowsNUL { note(.nul, at: start) }
        if let scalar = UnicodeScalar(unit) { return scalar }
        // The unit is a surrogate: a high surrogate must be followed by a low surrogate.
        if unit < 0xDC00 {
            if position + 1 >= bytes.count, !isFinal { throw end() }
            if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            {
                let behindFirst = position
                position += 2
                let low = try scanHexadecimal()
                if (0xDC00...0xDFFF).contains(low) {
                    return UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
                }
                position = behindFirst
            }
        }
        note(.loneSurrogate, at: start)
        return "\u{FFFD}"
    }

    private mutating func scanHexadecimal() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try current()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONFault(.unicodeEscape, at: position)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Numbers and words

    /// Skips a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    mutating func skipNumber() throws(JSONFault) {
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let first = try current()
        if first == UInt8(ascii: "0") {
            position += 1
            if position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
                throw JSONFault(.leadingZero, at: position - 1)
            }
        } else {
            try skipDigits()
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try current()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        // A number has no terminator: its next digit may be in the next chunk.
        if position == bytes.count, !isFinal { throw end() }
    }

    @inline(__always)
    private mutating func skipDigits() throws(JSONFault) {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        if position == start {
            guard position < bytes.count || isFinal else { throw end() }
            throw JSONFault(.number, at: position)
        }
    }

    /// Skips `true`, `false` or `null`.
    mutating func skipWord() throws(JSONFault) {
        let word: StaticString
        switch bytes[position] {
        case UInt8(ascii: "t"): word = "true"
        case UInt8(ascii: "f"): word = "false"
        default: word = "null"
        }
        let length = word.utf8CodeUnitCount
        for index in 0..<length {
            guard position + index < bytes.count else { throw end(.literal, at: position) }
            guard bytes[position + index] == word.utf8Start[index] else { throw JSONFault(.literal, at: position) }
        }
        position += length
    }
}
