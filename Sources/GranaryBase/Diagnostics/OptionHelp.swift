/// Command-line options as text that can be pasted into a shell, for ``Diagnostic/help``.
package enum OptionHelp {
    /// `--delimiter ';'`; `--null=--` for a value that looks like an option. Nil for a value that no shell can pass.
    package static func option(_ name: String, _ value: String) -> String? {
        quoted(value).map { "--\(name)\(value.hasPrefix("-") ? "=" : " ")\($0)" }
    }

    /// A value quoted so that a shell reads it as one word; nil if that is impossible.
    package static func quoted(_ value: String) -> String? {
        // An argument of a program ends at U+0000.
        if value.utf8.contains(0) { return nil }
        guard VisibleText.escaped(value) == value else { return printed(value) }
        let plain = value.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "_./:=,@%+-".utf8.contains(byte) || byte >= 0x80
        }
        return plain && !value.isEmpty ? value : "'" + value.replacing("'", with: "'\\''") + "'"
    }

    /// A value with characters that a message escapes: `"$(printf 'a\014b')"`, which every shell reads as one word.
    private static func printed(_ value: String) -> String? {
        // A shell removes line feeds at the end of the output of a command.
        guard value.utf8.last != 0x0A else { return nil }
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "%": text += "%%"
            case "\\": text += "\\\\"
            case "'", "-": text += octal(scalar)
            default: text += VisibleText.escaped(String(scalar)) == String(scalar) ? String(scalar) : octal(scalar)
            }
        }
        return "\"$(printf '\(text)')\""
    }

    private static func octal(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }

    /// Options that are needed together; nil if one of them is nil.
    package static func all(_ options: [String?]) -> String? {
        let present = options.compactMap { $0 }
        return present.count == options.count ? present.joined(separator: " ") : nil
    }

    /// Alternatives, joined with "or"; nil if there are none.
    package static func either(_ options: [String?]) -> String? {
        let present = options.compactMap { $0 }
        return present.isEmpty ? nil : present.joined(separator: " or ")
    }
}
