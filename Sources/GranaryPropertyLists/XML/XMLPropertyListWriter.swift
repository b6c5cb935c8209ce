package import GranaryBase

/// Writes an XML property list of any size from events, in Apple's layout.
///
/// The caller passes a buffer with each event and may empty it between events. Tabs, the document type, Base64 lines
/// and empty elements are the same as CoreFoundation's. There are some differences, so that every value is read back
/// unchanged: a real is the shortest text that parses to the same double (`0.1`, not `0.10000000000000001`), -0.0 keeps
/// its sign, a carriage return is `&#13;`, and a control character is refused (CoreFoundation drops the text or writes
/// invalid XML).
package struct XMLPropertyListWriter {
    private var nesting = PropertyListNesting()
    /// For each open container, whether it is a dictionary.
    private var isDictionary: [Bool] = []
    /// Whether the container that begins is a dictionary; nil if its start tag is written. An empty container is one
    /// tag.
    private var pending: Bool?
    private var hasHeader = false

    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    package init() {}

    /// Writes the next event.
    ///
    /// - Throws: ``GranaryError`` with `value.syntax` for text with a character that XML cannot hold, with
    ///   `value.precision` or `value.range` for a date that it cannot hold (``canHold(_:)``), and with code
    ///   `internalDefect` for events in an invalid order.
    package mutating func write(_ event: PropertyListEvent, into output: inout [UInt8]) throws(GranaryError) {
        if let problem = Self.problem(with: event) { throw GranaryError(problem) }
        try nesting.take(event)
        beginDocument(&output)
        switch event {
        case .endArray, .endDictionary:
            let name = event == .endArray ? "array" : "dict"
            if pending != nil {
                pending = nil
                return line("<\(name)/>", &output)
            }
            isDictionary.removeLast()
            return line("</\(name)>", &output)
        default: beginPending(&output)
        }
        switch event {
        case .beginArray: pending = false
        case .beginDictionary: pending = true
        case .endArray, .endDictionary: break
        case .key(let text): element("key", text, &output)
        case .string(let text): element("string", text, &output)
        case .integer(let value): line("<integer>\(value)</integer>", &output)
        case .unsigned(let value): line("<integer>\(value)</integer>", &output)
        case .real(let value, let digits):
            line("<real>\(digits.map { String(decoding: $0, as: UTF8.self) } ?? Self.text(of: value))</real>", &output)
        case .boolean(let value): line(value ? "<true/>" : "<false/>", &output)
        case .date(let seconds):
            indent(&output)
            output.append(contentsOf: "<date>".utf8)
            _ = DateText.append(seconds, to: &output)
            output.append(contentsOf: "</date>\n".utf8)
        case .data(let bytes): data(bytes, &output)
        case .uid(let value):
            line("<dict>", &output)
            isDictionary.append(true)
            line("<key>CF$UID</key>", &output)
            line("<integer>\(value)</integer>", &output)
            isDictionary.removeLast()
            line("</dict>", &output)
        }
    }

    /// Writes the end of the document.
    package mutating func finish(into output: inout [UInt8]) throws(GranaryError) {
        guard nesting.isComplete else {
            throw GranaryError(.internalDefect, "a property list is finished before its root value is complete")
        }
        output.append(contentsOf: "</plist>\n".utf8)
    }

    private mutating func beginDocument(_ output: inout [UInt8]) {
        guard !hasHeader else { return }
        output.append(contentsOf: Self.header.utf8)
        hasHeader = true
    }

    private mutating func beginPending(_ output: inout [UInt8]) {
        guard let dictionary = pending else { return }
        pending = nil
        line(dictionary ? "<dict>" : "<array>", &output)
        isDictionary.append(dictionary)
    }

    private func indent(_ output: inout [UInt8]) {
        for _ in isDictionary { output.append(0x09) }
    }

    private func line(_ text: String, _ output: inout [UInt8]) {
        indent(&output)
        output.append(contentsOf: text.utf8)
        output.append(0x0A)
    }

    private func element(_ name: String, _ text: String, _ output: inout [UInt8]) {
        indent(&output)
        output.append(contentsOf: "<\(name)>".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            // An unescaped carriage return would be read as a line feed (XML 1.0, 2.11).
            case 0x0D: output.append(contentsOf: "&#13;".utf8)
            default: output.append(byte)
            }
        }
        output.append(contentsOf: "</\(name)>\n".utf8)
    }

    private func data(_ bytes: [UInt8], _ output: inout [UInt8]) {
        line("<data>", &output)
        bytes.withUnsafeBufferPointer { appendLines(of: $0, &output) }
        line("</data>", &output)
    }

    /// Writes the start of data. The caller appends its lines (``appendLines(of:_:)``) and its end.
    mutating func beginData(into output: inout [UInt8]) throws(GranaryError) {
        try nesting.take(.data([]))
        beginDocument(&output)
        beginPending(&output)
        line("<data>", &output)
    }

    func endData(into output: inout [UInt8]) { line("</data>", &output) }

    /// Lines are indented by at most this number of tabs.
    private var tabsInLine: Int { min(isDictionary.count, 8) }

    /// The number of bytes in a line of data: lines have 76 columns with tabs counted as 8.
    var bytesInLine: Int { (76 - 8 * tabsInLine) / 4 * 3 }

    /// Appends lines of data. All but the last call must have a multiple of ``bytesInLine`` bytes.
    func appendLines(of bytes: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        let (tabs, length) = (tabsInLine, bytesInLine)
        var start = 0
        while start < bytes.count {
            let end = min(start + length, bytes.count)
            for _ in 0..<tabs { output.append(0x09) }
            Base64Text.encode(UnsafeBufferPointer(rebasing: bytes[start..<end]), into: &output)
            output.append(0x0A)
            start = end
        }
    }

    private static func text(of value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
        return value.description
    }
}

/// Values that an XML property list cannot hold.
extension XMLPropertyListWriter {
    /// Whether a value can be written and read back unchanged.
    package static func canHold(_ event: PropertyListEvent) -> Bool { problem(with: event) == nil }

    /// The reason why a value cannot be written, as a diagnostic without a position; nil if it can be written.
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
                return Diagnostic(.valuePrecision, "an XML property list can hold only dates in whole seconds")
            }
            return Diagnostic(.valueRange, "an XML property list can hold only dates in the years 1 to 9999")
        default: return nil
        }
    }

    /// The first character that XML 1.0 does not allow (production 2): a control character other than tab, line feed
    /// and carriage return, U+FFFE or U+FFFF.
    private static func firstForbidden(in text: String) -> Unicode.Scalar? {
        // 0xEF is the first byte of U+FFFE and U+FFFF. For most text, this pass over the bytes suffices.
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
