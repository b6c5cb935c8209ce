extension StringProtocol {
    /// The text with the letters a to z in upper case. Other letters stay: the upper case of a dotless i would be I.
    package var asciiUppercased: String {
        // No byte of another letter is in this range.
        String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
    }
}
