import GranaryBase

/// Writes the text of one rejects file in the encoding of its source.
final class RejectsText {
    let output: ByteOutput
    private var isEmpty = true
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let encoding: TextEncoding

    /// - Parameters:
    ///   - hasMark: whether the source starts with a byte order mark.
    ///   - encoding: the encoding of the source.
    init(_ output: ByteOutput, hasMark: Bool = false, encoding: TextEncoding = .utf8) {
        self.output = output
        self.encoding = encoding
        if hasMark { append(Self.byteOrderMark) }
    }

    func append(_ bytes: [UInt8]) {
        output.buffer.append(contentsOf: encoded(bytes))
        if !bytes.isEmpty { isEmpty = false }
    }

    func append(_ text: String) { append(Array(text.utf8)) }

    /// Appends a record unchanged.
    func append(record raw: [UInt8]) {
        // Readers skip a byte order mark at the start of a file, so a record that starts with one needs a second one
        // before it.
        if isEmpty, raw.starts(with: Self.byteOrderMark) { append(Self.byteOrderMark) }
        append(raw)
    }

    /// Writes the buffered bytes if the buffer is full; called after each record.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func flushIfFull() throws(GranaryError) { try output.flushIfFull() }

    /// Writes the buffered bytes and syncs the file.
    func prepare() throws(GranaryError) { try output.prepare() }

    /// Converts UTF-8, which readers produce, to the source's encoding.
    private func encoded(_ bytes: [UInt8]) -> [UInt8] {
        guard encoding != .utf8 else { return bytes }
        var output: [UInt8] = []
        // Text that was decoded from the encoding can be encoded again.
        return encoding.encode(bytes, into: &output) ? output : bytes
    }
}
