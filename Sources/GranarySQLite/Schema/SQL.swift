internal import GranaryCSQLite

/// Quotes names and texts for SQL statements. Data values are bound instead.
package enum SQL {
    /// `ZNAME` becomes `"ZNAME"`.
    ///
    /// SQL cannot express a name with U+0000; preparing such a statement throws.
    package static func quoteIdentifier(_ name: String) -> String { quote(name, with: "\"") }

    /// `O'Neil` becomes `'O''Neil'`. A text with U+0000, which a literal cannot contain, becomes a cast of a blob.
    ///
    /// The cast gives the same text in a database with UTF-8 encoding, which all Core Data stores have.
    package static func quoteText(_ text: String) -> String {
        guard text.utf8.contains(0) else { return quote(text, with: "'") }
        let digits = Array("0123456789ABCDEF".utf8)
        let hexadecimal = text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "CAST(X'\(String(decoding: hexadecimal, as: UTF8.self))' AS TEXT)"
    }

    /// The text that SQLite converts a number to.
    package static func text(of number: Double) -> [UInt8] {
        // The longest has 15 digits, a sign, a point and an exponent.
        var bytes = [CChar](repeating: 0, count: 64)
        granary_real_text(number, &bytes, Int32(bytes.count))
        return bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }

    /// Doubles the quotation marks. It iterates over scalars, because a quotation mark with a combining mark is a
    /// different `Character`.
    private static func quote(_ text: String, with mark: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        result.append(mark)
        for scalar in text.unicodeScalars {
            if scalar == mark { result.append(mark) }
            result.append(scalar)
        }
        result.append(mark)
        return String(result)
    }
}
