/// Splits the text of a predicate into tokens.
struct PredicateLexer {
    enum Token: Hashable {
        /// A name or a reserved word; with colons the name of a function.
        case word(String)
        /// A name after `#`, never a reserved word.
        case name(String)
        case variable(String)
        case number(String)
        case string(String)
        case symbol(String)
        /// `%@`, `%K`, `%d` and so on, with the sign.
        case placeholder(String)
        case end
    }

    private static let symbols: [String] = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "<<", ">>", "**", ":=", "(", ")", "{", "}", "[", "]", ",",
        ".", "@", "=", "<", ">", "!", "+", "-", "*", "/", "&", "|", "^", "~",
    ]

    private let bytes: [UInt8]
    private var offset = 0
    /// Where the last token begins, in bytes.
    private(set) var start = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() throws(PredicateSyntaxError) -> Token {
        while true {
            let length = spaceLength
            guard length > 0 else { break }
            offset += length
        }
        start = offset
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            offset += 1
            return .string(try string(until: byte))
        case UInt8(ascii: "$"):
            offset += 1
            return .variable(try word(after: "$"))
        case UInt8(ascii: "#"):
            offset += 1
            return .name(try word(after: "#"))
        case UInt8(ascii: "%"): return .placeholder(try placeholder())
        case _ where isAtCurlyQuote: throw error("curly quotes; write \" or '", at: offset)
        case _ where Self.isDigit(byte): return .number(number())
        case _ where Self.isWordByte(byte): return .word(word(withColons: true))
        default: break
        }
        for symbol in Self.symbols where bytes[offset...].starts(with: symbol.utf8) {
            offset += symbol.utf8.count
            return .symbol(symbol)
        }
        throw error("a character that has no meaning here", at: offset)
    }

    /// - Parameter place: the byte offset.
    func error(_ message: String, at place: Int) -> PredicateSyntaxError {
        // Columns count Unicode scalars, so continuation bytes are skipped.
        let column = bytes.prefix(place).count(where: { $0 & 0xC0 != 0x80 }) + 1
        return PredicateSyntaxError(offset: place, column: column, message: message)
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte >= 0x80
    }

    /// Whether a text is a key: a name, also a reserved word.
    static func isKey(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, !isDigit(first), text.utf8.allSatisfy(isWordByte) else { return false }
        return text.unicodeScalars.allSatisfy { !isWideSpace($0) && !isCurlyQuote($0) }
    }

    /// Spaces other than ASCII's, which word processors and web pages put in.
    private static func isWideSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || ("\u{2000}"..."\u{200A}").contains(scalar) || scalar == "\u{3000}"
    }

    private static func isCurlyQuote(_ scalar: Unicode.Scalar) -> Bool { ("\u{2018}"..."\u{201F}").contains(scalar) }

    /// The number of bytes of the space at the current place; 0 if there is none.
    private var spaceLength: Int {
        switch peek() {
        case 0x20?, 0x09?, 0x0A?, 0x0B?, 0x0C?, 0x0D?: 1
        case 0xC2?: peek(1) == 0xA0 ? 2 : 0
        case 0xE2?, 0xE3?: scalarOfThreeBytes.map(Self.isWideSpace) == true ? 3 : 0
        default: 0
        }
    }

    private var isAtCurlyQuote: Bool { scalarOfThreeBytes.map { Self.isCurlyQuote($0) } ?? false }

    /// The scalar at the current place, if it has three bytes. The bytes are those of a `String`, so they are valid.
    private var scalarOfThreeBytes: Unicode.Scalar? {
        guard let first = peek(), first & 0xF0 == 0xE0, let second = peek(1), let third = peek(2) else { return nil }
        return Unicode.Scalar(UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F))
    }

    /// Whether the byte at the current place belongs to a word.
    private var isInWord: Bool {
        guard let byte = peek(), Self.isWordByte(byte) else { return false }
        return byte < 0x80 || (spaceLength == 0 && !isAtCurlyQuote)
    }

    /// Whether a text is keys joined by points, of which any can be a collection operator such as `@count`.
    static func isKeyPath(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { isKey($0.first == "@" ? $0.dropFirst() : $0) }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private mutating func word(after sign: String) throws(PredicateSyntaxError) -> String {
        let result = word(withColons: false)
        if result.isEmpty { throw error("expected a name after \(sign)", at: offset) }
        return result
    }

    private mutating func word(withColons: Bool) -> String {
        let first = offset
        while let byte = peek() {
            let isColon = withColons && byte == UInt8(ascii: ":") && peek(1) != UInt8(ascii: "=")
            guard isColon || isInWord else { break }
            offset += 1
        }
        return String(decoding: bytes[first..<offset], as: UTF8.self)
    }

    /// Reads `%`, a length such as `ll`, and a letter.
    private mutating func placeholder() throws(PredicateSyntaxError) -> String {
        offset += 1
        let first = offset
        while let byte = peek(), "hlqjztL".utf8.contains(byte), offset - first < 2 { offset += 1 }
        let hasLength = offset > first
        guard let letter = peek() else { throw error("expected a placeholder such as %@ or %K", at: start) }
        switch letter {
        case UInt8(ascii: "@") where !hasLength, UInt8(ascii: "K") where !hasLength: break
        case _ where "diuDUxXoOcfFeEgGaA".utf8.contains(letter): break
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            throw error("%\(Character(Unicode.Scalar(letter))) stands for a C string; write %@ for a text", at: start)
        default: throw error("expected a placeholder such as %@ or %K", at: start)
        }
        offset += 1
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Digits with a base (`0x1F`), or with a fraction and an exponent.
    private mutating func number() -> String {
        let first = offset
        if peek() == 0x30, let base = peek(1), [0x78, 0x6F, 0x62].contains(base | 0x20) {
            offset += 2
            while isInWord { offset += 1 }
            return String(decoding: bytes[first..<offset], as: UTF8.self)
        }
        skipDigits()
        if peek() == UInt8(ascii: "."), let next = peek(1), Self.isDigit(next) {
            offset += 1
            skipDigits()
        }
        if let byte = peek(), byte | 0x20 == 0x65 {
            let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if let digit = peek(hasSign ? 2 : 1), Self.isDigit(digit) {
                offset += hasSign ? 2 : 1
                skipDigits()
            }
        }
        return String(decoding: bytes[first..<offset], as: UTF8.self)
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { offset += 1 }
    }
}

extension PredicateLexer {
    /// Reads a text to its closing quote. A placeholder within it is text.
    private mutating func string(until quote: UInt8) throws(PredicateSyntaxError) -> String {
        var result: [UInt8] = []
        while let byte = peek() {
            offset += 1
            if byte == quote { return String(decoding: result, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let escape = peek() else { break }
            offset += 1
            switch escape {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"): result.append(contentsOf: try scalar())
            default: result.append(escape)
            }
        }
        throw error("the text that begins here has no closing quote", at: start)
    }

    /// The scalar of the digits after `\u`; a second `\u` must follow the first half of a surrogate pair.
    private mutating func scalar() throws(PredicateSyntaxError) -> String.UTF8View {
        let place = offset
        var number = try unit(at: place)
        if (0xD800..<0xDC00).contains(number), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            offset += 2
            let low = try unit(at: offset)
            guard (0xDC00..<0xE000).contains(low) else {
                throw error("expected the second half of a surrogate pair", at: place)
            }
            number = 0x1_0000 + (number - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(number) else {
            throw error("half of a surrogate pair is no character", at: place)
        }
        return String(Character(scalar)).utf8
    }

    /// Four hexadecimal digits.
    private mutating func unit(at place: Int) throws(PredicateSyntaxError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected the four digits of a character after \\u", at: place)
            }
            number = number << 4 | UInt32(digit)
            offset += 1
        }
        return number
    }
}
