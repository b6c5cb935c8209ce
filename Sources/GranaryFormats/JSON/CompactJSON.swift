package import GranaryBase

/// JSON text of an array or an object as a value of a Binary attribute, as SwiftData stores collections.
///
/// The stored bytes are the JSON text without white space between its tokens. The order of members, the digits of
/// numbers and the escapes in strings stay as they are, so that a text that was exported and imported has the same
/// bytes.
package enum CompactJSON {
    /// The maximum number of bytes of a text that is shown as JSON. A reader has a limit for a value too.
    static let maximumBytes = 1 << 20
    /// The record itself adds a few levels, and a reader accepts 128 in all.
    static let maximumDepth = 100

    /// A mistake in a JSON text, with its byte offset.
    package struct Problem: Error, Sendable, Hashable {
        package let code: Diagnostic.Code
        package let reason: String
        package let offset: Int
    }

    /// The index of the bracket or brace with which a text begins as an array or an object; nil if it does not. Neither
    /// Base64 nor hexadecimal digits begin so.
    package static func start(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = text.firstIndex(where: { !isSpace($0) }) else { return nil }
        return text[start] == UInt8(ascii: "[") || text[start] == UInt8(ascii: "{") ? start : nil
    }

    /// Whether bytes are a JSON text that ``append(_:to:)`` gives again, and that every format can contain.
    package static func isCompact(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The first byte rules out nearly all other data.
        guard bytes.count <= maximumBytes, bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{"),
            !hasNonCharacter(bytes)
        else { return false }
        var compact: [UInt8] = []
        do throws(Problem) { try append(bytes, to: &compact) } catch { return false }
        return compact.elementsEqual(bytes)
    }

    /// Appends a JSON text without the white space between its tokens.
    ///
    /// - Throws: ``Problem`` for a text that is not one array or object of JSON, has a name twice in one object, contains
    ///   U+0000, or is too deep or too long.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) throws(Problem) {
        var limits = JSONReader.Options()
        limits.maximumDepth = maximumDepth
        limits.maximumFieldBytes = maximumBytes
        guard text.count <= maximumBytes else {
            throw Problem(
                code: .limitExceeded,
                reason: "the JSON is longer than the limit of \(maximumBytes) bytes; give the bytes instead", offset: 0)
        }
        try checkSyntax(text, limits)
        guard start(of: text) != nil else {
            throw Problem(code: .valueSyntax, reason: "the JSON is neither an array nor an object", offset: 0)
        }
        try checkNames(text)
        var isInString = false
        var isEscaped = false
        output.reserveCapacity(output.count + text.count)
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                if isSpace(byte) { continue }
                isInString = byte == UInt8(ascii: "\"")
            }
            output.append(byte)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func checkSyntax(
        _ text: UnsafeBufferPointer<UInt8>, _ limits: JSONReader.Options
    ) throws(Problem) {
        var cursor = JSONCursor(text, isFinal: true, limits: limits)
        var fault: JSONFault?
        do throws(JSONFault) {
            try cursor.skipValue(depth: 0)
            cursor.skipWhitespace()
            fault = cursor.problem
            if fault == nil, cursor.position < text.count { throw cursor.unexpected(.extra) }
        } catch {
            fault = cursor.problem ?? error
        }
        guard let fault else { return }
        let found = fault.offset < text.count ? text[fault.offset] : nil
        throw Problem(code: fault.code, reason: fault.message(found: found, limits: limits), offset: fault.offset)
    }

    /// A decoder would keep one of the members only. Names are compared byte by byte.
    private static func checkNames(_ text: UnsafeBufferPointer<UInt8>) throws(Problem) {
        var events = JSONEventReader(text)
        var objects: [Set<[UInt8]>] = []
        while let event = events.next() {
            switch event {
            case .beginObject: objects.append([])
            case .endObject: _ = objects.popLast()
            case .name(let name):
                guard let last = objects.indices.last, !objects[last].insert(Array(name.utf8)).inserted else {
                    continue
                }
                throw Problem(
                    code: .valueSyntax,
                    reason: "the name \"\(Diagnostic.shortened(name))\" occurs twice in one object",
                    offset: events.offset)
            case .beginArray, .endArray, .text, .number, .boolean, .null: break
            }
        }
    }

    /// Whether the text contains U+FFFE or U+FFFF, which XML cannot contain.
    private static func hasNonCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices.dropLast(2) where bytes[index] == 0xEF && bytes[index + 1] == 0xBF {
            if bytes[index + 2] >= 0xBE { return true }
        }
        return false
    }
}
