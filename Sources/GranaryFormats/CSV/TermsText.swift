/// What reading and writing a constant table share.
enum TermsText {
    /// Where `delimiter` first stands at or behind `start`.
    static func firstDelimiter(_ delimiter: [UInt8], in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let first = delimiter.first else { return nil }
        var index = start
        while index <= text.count - delimiter.count {
            if text[index] == first, text[index..<index + delimiter.count].elementsEqual(delimiter) { return index }
            index += 1
        }
        return nil
    }
}
