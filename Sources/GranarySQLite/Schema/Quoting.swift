/// Names and texts as parts of an SQL statement. Values of data are bound, not quoted.
package enum SQL {
    /// `ZNAME` becomes `"ZNAME"`.
    ///
    /// No SQL can write a name with a U+0000; preparing such a statement throws.
    package static func quoteIdentifier(_ name: String) -> String { quote(name, with: "\"") }

    /// `O'Neil` becomes `'O''Neil'`; a text with a U+0000, which no literal can hold, becomes a cast blob.
    ///
    /// The cast gives the same text in a database whose encoding is UTF-8, as all of Core Data's are.
    package static func quoteText(_ text: String) -> String {
        guard text.utf8.contains(0) else { return quote(text, with: "'") }
        let digits = Array("0123456789ABCDEF".utf8)
        let hexadecimal = text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "CAST(X'\(String(decoding: hexadecimal, as: UTF8.self))' AS TEXT)"
    }

    /// By scalars: a quote with a combining mark after it is another `Character`, which would stay single.
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
