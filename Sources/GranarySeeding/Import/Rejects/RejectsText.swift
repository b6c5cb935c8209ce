import GranaryBase

/// The text of one file of rejected records. Every byte of it goes through here.
final class RejectsText {
    let output: ByteOutput
    private var isEmpty = true

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let encoding: TextEncoding

    /// - Parameters:
    ///   - hasMark: whether the source begins with a byte order mark.
    ///   - encoding: the source's.
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

    /// Appends a record as it was found.
    func append(record raw: [UInt8]) {
        // Bytes that were a part of a record would be passed over at a file's start; a mark before them keeps them.
        if isEmpty, raw.starts(with: Self.byteOrderMark) { append(Self.byteOrderMark) }
        append(raw)
    }

    /// Writes out what has gathered; once a record.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` when the system cannot write.
    func flushIfFull() throws(GranaryError) { try output.flushIfFull() }

    /// Writes the buffered bytes and syncs the file.
    func prepare() throws(GranaryError) { try output.prepare() }

    /// The bytes that the source has for its text: readers turn every encoding into UTF-8.
    private func encoded(_ bytes: [UInt8]) -> [UInt8] {
        guard encoding != .utf8 else { return bytes }
        var output: [UInt8] = []
        // What came from the encoding has a place in it.
        return encoding.encode(bytes, into: &output) ? output : bytes
    }
}
