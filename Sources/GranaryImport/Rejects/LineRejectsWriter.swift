import GranaryBase

/// Writes rejected rows of SQLite databases, and rejected records of readers outside Granary, as JSON Lines.
final class LineRejectsWriter: KeptRejectsWriter {
    private let text: RejectsText

    init(_ output: ByteOutput) { text = RejectsText(output) }

    /// Writes an object of ``RecordLine``.
    func append(_ raw: [UInt8]) throws(GranaryError) {
        text.append(raw)
        text.append("\n")
        try text.flushIfFull()
    }

    func prepare() throws(GranaryError) { try text.prepare() }
}
