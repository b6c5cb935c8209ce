package import GranaryBase

/// A list in one field: elements between separators, quoted like fields in RFC 4180.
///
/// Examples: `a;b`, `"a;b";c`, `"a ""b""";""`. Nothing is trimmed. The empty text is one empty element; callers check
/// for NULL first.
///
/// The quote is always `"`, also in a file with another quote around its fields: the list is the same text in every
/// format, and an import splits it without knowing how the file was written.
package struct ListText {
    private static let quote = UInt8(ascii: "\"")

    private let separator: UInt8
    /// The offset of the next element; nil after the last one.
    private var index: Int? = 0

    package init(separator: UInt8 = UInt8(ascii: ";")) { self.separator = separator }

    /// Replaces `element` by the next element of `text`, which must be the same text in every call.
    ///
    /// - Returns: false after the last element.
    /// - Throws: `syntax` if a quote is misplaced.
    package mutating func next(
        of text: UnsafeBufferPointer<UInt8>, into element: inout [UInt8]
    ) throws(ValueTextError) -> Bool {
        guard var index else { return false }
        element.removeAll(keepingCapacity: true)
        if index < text.count, text[index] == Self.quote {
            index = try readQuoted(text, from: index + 1, into: &element)
        } else {
            while index < text.count, text[index] != separator {
                guard text[index] != Self.quote else { throw .syntax("a quote inside an unquoted list element") }
                element.append(text[index])
                index += 1
            }
        }
        self.index = index < text.count ? index + 1 : nil
        return true
    }

    /// - Returns: the offset after the closing quote.
    private func readQuoted(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, into element: inout [UInt8]
    ) throws(ValueTextError) -> Int {
        var index = start
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == Self.quote {
                if index == text.count || text[index] == separator { return index }
                guard text[index] == Self.quote else { throw .syntax("text after the closing quote of a list element") }
                index += 1
            }
            element.append(byte)
        }
        throw .syntax("a quote in a list is never closed")
    }

    /// Quotes the element at the end of `text`, if necessary.
    package static func quoteElement(at start: Int, of text: inout [UInt8], separator: UInt8) {
        let element = text[start...]
        guard element.isEmpty || element.contains(where: { $0 == separator || $0 == quote }) else { return }
        var quoted = [quote]
        for byte in element {
            if byte == quote { quoted.append(quote) }
            quoted.append(byte)
        }
        quoted.append(quote)
        text.replaceSubrange(start..., with: quoted)
    }
}
