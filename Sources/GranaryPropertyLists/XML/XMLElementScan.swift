import GranaryBase

/// The byte ranges of the elements of a document.
///
/// The document is scanned before libxml2 parses it, for two reasons. libxml2 reports only the position after a start
/// tag, but messages need the position of an attribute. And documents that would take libxml2 too much time or memory
/// (entity declarations, deep nesting, many attributes) are refused. The scan ignores other syntax errors, which
/// libxml2 reports.
struct XMLElementScan {
    /// An error in a document, at a byte offset.
    struct Refusal: Error {
        var code: Diagnostic.Code?
        var message: String
        var offset: Int
    }

    /// The offset of each start tag's `<`, in document order.
    private(set) var starts: [Int] = []
    /// The end offset of each element.
    private(set) var ends: [Int] = []
    /// The number of attributes of each start tag.
    private(set) var attributeCounts: [Int] = []

    private let limits: XMLElementLimits
    private var open: [Int] = []

    init(_ bytes: [UInt8], limits: XMLElementLimits) throws(Refusal) {
        self.limits = limits
        try XMLElementProlog.check(bytes)
        if let zero = bytes.firstIndex(of: 0) {
            throw Refusal(code: .encodingInvalid, message: "contains U+0000, which XML cannot contain", offset: zero)
        }
        var index = 0
        while let tag = Self.find(UInt8(ascii: "<"), in: bytes, from: index) {
            guard let next = try markup(at: tag, in: bytes) else { break }
            index = next
        }
    }

    /// Scans the markup at a `<`.
    ///
    /// - Returns: the offset after the markup; nil if it is unterminated.
    private mutating func markup(at tag: Int, in bytes: [UInt8]) throws(Refusal) -> Int? {
        if Self.has("<!--", in: bytes, at: tag) { return Self.end(of: "-->", in: bytes, from: tag + 4) }
        if Self.has("<![CDATA[", in: bytes, at: tag) { return Self.end(of: "]]>", in: bytes, from: tag + 9) }
        if Self.has("<?", in: bytes, at: tag) {
            guard let end = Self.end(of: "?>", in: bytes, from: tag + 2) else { return nil }
            // Without data (`<?a?>`) it crashes FoundationXML on Linux. Models have none.
            let target = bytes[(tag + 2)..<(end - 2)].drop { $0 > 0x20 }
            guard target.contains(where: { $0 > 0x20 }) else {
                throw Refusal(
                    code: nil, message: "contains a processing instruction without data, which is refused", offset: tag)
            }
            return end
        }
        if Self.has("<!", in: bytes, at: tag) { return Self.tagEnd(in: bytes, from: tag)?.end }
        guard let (end, attributes) = Self.tagEnd(in: bytes, from: tag) else { return nil }
        if Self.has("</", in: bytes, at: tag) {
            if let element = open.popLast() { ends[element] = end }
            return end
        }
        guard starts.count < limits.elements else {
            throw limit("has more than \(limits.elements) elements", tag)
        }
        guard attributes <= limits.attributes else {
            throw limit("has an element with more than \(limits.attributes) attributes", tag)
        }
        starts.append(tag)
        ends.append(end)
        attributeCounts.append(attributes)
        if bytes[end - 2] != UInt8(ascii: "/") {
            guard open.count < limits.depth else {
                throw limit("has elements nested deeper than \(limits.depth) levels", tag)
            }
            open.append(starts.count - 1)
        }
        return end
    }

    private func limit(_ message: String, _ offset: Int) -> Refusal {
        Refusal(code: .limitExceeded, message: message + ", the limit", offset: offset)
    }

    /// The offset after a tag that begins at `start`, and the number of `=` in it outside quotes.
    private static func tagEnd(in bytes: [UInt8], from start: Int) -> (end: Int, attributes: Int)? {
        var quote: UInt8 = 0
        var attributes = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "="): attributes += 1
            case UInt8(ascii: ">"): return (index + 1, attributes)
            default: break
            }
        }
        return nil
    }

    static func find(_ byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return bytes[start...].firstIndex(of: byte)
    }

    static func has(_ text: StaticString, in bytes: [UInt8], at index: Int) -> Bool {
        guard index >= 0, bytes.count - index >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    /// The offset after the first `text` from `start` on; nil if there is none.
    static func end(of text: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return text.withUTF8Buffer { text in
            guard let first = text.first else { return nil }
            var index = start
            while let found = find(first, in: bytes, from: index) {
                if bytes[found...].starts(with: text) { return found + text.count }
                index = found + 1
            }
            return nil
        }
    }
}
