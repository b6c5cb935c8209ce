import GranaryBase

/// Command-line options as text that can be pasted into a shell, for ``Diagnostic/help``.
enum OptionHelp {
    /// `--delimiter ';'`; `--null=--` for a value that looks like an option.
    static func option(_ name: String, _ value: String) -> String {
        "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
    }

    /// A value quoted so that a shell reads it as one word.
    static func quoted(_ value: String) -> String {
        let plain = value.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "_./:=,@%+-".utf8.contains(byte) || byte >= 0x80
        }
        return plain && !value.isEmpty ? value : "'" + value.replacing("'", with: "'\\''") + "'"
    }

    /// Alternatives, joined with "or"; nil if there are none.
    static func either(_ options: [String]) -> String? { options.isEmpty ? nil : options.joined(separator: " or ") }
}
