/// What the first bytes of a text say about its encoding.
enum TextEncodingMark {
    /// How many bytes a UTF-8 byte order mark takes at the start: three or none.
    static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Why the text is refused, nil where it may be UTF-8.
    ///
    /// JSON begins with an ASCII character, so a zero byte beside it shows UTF-16 or UTF-32 (RFC 4627, section 3).
    static func refusal(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count >= 2 else { return nil }
        let isWide =
            switch (bytes[0], bytes[1]) {
            case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0): true
            default: false
            }
        return isWide ? "this looks like UTF-16 or UTF-32; JSON is read as UTF-8 (RFC 8259), so convert it first" : nil
    }
}
