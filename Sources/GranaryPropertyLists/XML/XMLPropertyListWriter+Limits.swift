package import GranaryBase

/// What an XML property list cannot hold.
extension XMLPropertyListWriter {
    /// Whether a value can be written so that it is read as the same value.
    package static func canHold(_ event: PropertyListEvent) -> Bool { problem(with: event) == nil }

    /// What keeps a value from being written, as a diagnostic without a place; nil for what can be.
    package static func problem(with event: PropertyListEvent) -> Diagnostic? {
        switch event {
        case .key(let text), .string(let text):
            guard let scalar = firstForbidden(in: text) else { return nil }
            let name = String(scalar.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(0, 4 - name.count)) + name
            return Diagnostic(
                .valueSyntax, "an XML property list cannot hold the character U+\(padded)",
                value: Diagnostic.shortened(text))
        case .date(let seconds):
            if XMLDateText.canHold(seconds) { return nil }
            if seconds.isFinite, XMLDateText.canHold(seconds.rounded(.down)) {
                return Diagnostic(.valuePrecision, "an XML property list holds dates of whole seconds only")
            }
            return Diagnostic(.valueRange, "an XML property list holds dates of the years 1 to 9999 only")
        default: return nil
        }
    }

    /// XML 1.0, production 2: no control characters but tab, line feed and carriage return, and neither U+FFFE nor
    /// U+FFFF.
    private static func firstForbidden(in text: String) -> Unicode.Scalar? {
        // 0xEF begins U+FFFE and U+FFFF; most text needs one pass over its bytes.
        let isSuspect = text.utf8.contains { byte in
            byte == 0xEF || (byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D)
        }
        guard isSuspect else { return nil }
        return text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
    }
}
