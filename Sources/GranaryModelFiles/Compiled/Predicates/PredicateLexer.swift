import GranaryBase

/// Splits a predicate's text into tokens.
struct PredicateLexer {
    enum Token: Equatable {
        /// A name or a reserved word; with colons the name of a function.
        case word(String)
        /// A name after `#`, never a reserved word.
        case name(String)
        case variable(String)
        case number(String)
        case string(String)
        case symbol(String)
        case end
    }

    private static let symbols: [String] = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", ":=", "(", ")", "{", "}", "[", "]", ",", ".", "@",
        "=", "<", ">", "!", "+", "-", "*", "/",
    ]

    private let bytes: [UInt8]
    private var offset = 0
    /// Where the last token begins.
    private(set) var start = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() throws(GranaryError) -> Token {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
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
        case UInt8(ascii: "%"):
            throw error("placeholders such as %@ and %K have no meaning in a model", at: offset)
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
    func error(_ message: String, at place: Int) -> GranaryError {
        // Columns count Unicode scalars, so continuation bytes are skipped.
        let column = bytes.prefix(place).count(where: { $0 & 0xC0 != 0x80 }) + 1
        return GranaryError(Diagnostic(.modelSyntax, "predicate, column \(column): \(message)"))
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte >= 0x80
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private mutating func word(after sign: String) throws(GranaryError) -> String {
        let result = word(withColons: false)
        if result.isEmpty { throw error("expected a name after \(sign)", at: offset) }
        return result
    }

    private mutating func word(withColons: Bool) -> String {
        let first = offset
        while let byte = peek() {
            let isColon = withColons && byte == UInt8(ascii: ":") && peek(1) != UInt8(ascii: "=")
            guard isColon || Self.isWordByte(byte) else { break }
            offset += 1
        }
        return String(decoding: bytes[first..<offset], as: UTF8.self)
    }

    /// Digits with a base (`0x1F`), or with a fraction and an exponent.
    private mutating func number() -> String {
        let first = offset
        if peek() == 0x30, let base = peek(1), [0x78, 0x6F, 0x62].contains(base | 0x20) {
            offset += 2
            while let byte = peek(), Self.isWordByte(byte) { offset += 1 }
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

    private mutating func string(until quote: UInt8) throws(GranaryError) -> String {
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

    /// The four digits after `\u`.
    private mutating func scalar() throws(GranaryError) -> [UInt8] {
        let place = offset
        guard offset + 4 <= bytes.count,
            let number = UInt32(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw error("expected the four digits of a character after \\u", at: place) }
        offset += 4
        return Array(String(Character(scalar)).utf8)
    }
}
