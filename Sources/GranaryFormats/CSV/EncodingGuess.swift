import GranaryBase

/// What the first bytes of a source say about its encoding. Granary reads UTF-8.
enum EncodingGuess {
    /// How many bytes a UTF-8 byte order mark takes at the start: three or none.
    static func markLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Why the source cannot be UTF-8; nil where it may be.
    ///
    /// A byte order mark tells for sure. Without one, U+0000 beside ASCII in the first four bytes does: unless
    /// `allowsNUL`, such a text would be refused a moment later with a less helpful message.
    static func refusal(_ bytes: UnsafeBufferPointer<UInt8>, allowsNUL: Bool, source: String) -> Diagnostic? {
        let found: String
        if let name = mark(bytes) {
            found = "begins with the byte order mark of \(name)"
        } else if !allowsNUL, let name = pattern(bytes) {
            found = "looks like \(name)"
        } else {
            return nil
        }
        return Diagnostic(
            .encodingInvalid, "the text \(found); convert it to UTF-8",
            at: SourcePosition(file: source, line: 1, column: 1, byteOffset: 0))
    }

    private static func mark(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // UTF-32's little-endian mark begins with UTF-16's.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return "UTF-32 (little-endian)" }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32 (big-endian)" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16 (little-endian)" }
        if bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16 (big-endian)" }
        return nil
    }

    private static func pattern(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count >= 4 else { return nil }
        return switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
        case (false, true, false, true): "UTF-16 (little-endian)"
        case (true, false, true, false): "UTF-16 (big-endian)"
        case (false, true, true, true): "UTF-32 (little-endian)"
        case (true, true, true, false): "UTF-32 (big-endian)"
        default: nil
        }
    }
}
