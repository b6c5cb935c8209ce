/// The spelling of names and attribute values in XML 1.0.
enum XMLSpelling {
    /// Whether the text can be an attribute's name. Accepts every character beyond ASCII, unlike the standard.
    static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            let lower = byte | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "_") || byte >= 0x80
        }
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
    }

    /// Appends a value, escaped. Line breaks and tabs become references, since a reader turns bare ones into spaces.
    ///
    /// - Returns: the first character that XML cannot represent, as `U+0000`; nil if there is none.
    static func append(_ text: String, to output: inout [UInt8]) -> String? {
        var refused: String?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".utf8)
            case "<": output.append(contentsOf: "&lt;".utf8)
            case "\"": output.append(contentsOf: "&quot;".utf8)
            case "\n": output.append(contentsOf: "&#10;".utf8)
            case "\r": output.append(contentsOf: "&#13;".utf8)
            case "\t": output.append(contentsOf: "&#9;".utf8)
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                refused = refused ?? "U+" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: output.append(contentsOf: UTF8.encode(scalar)?.map(\.self) ?? [])
            }
        }
        return refused
    }
}
