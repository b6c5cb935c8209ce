import GranaryBase
import GranaryFormats

/// The records of a ``ParseTask``: a chunk of regular CSV records, or records that were read one by one.
enum TaskRecords {
    /// - Parameter lines: the first physical line of each record; empty if each record is one line.
    case chunk(CSVChunk, lines: [Int])
    /// - Parameter areLines: whether consecutive records begin in consecutive lines.
    case records(ArraySlice<Record>, areLines: Bool)

    /// Whether consecutive records have consecutive numbers and lines.
    var areLines: Bool {
        switch self {
        case .chunk(_, let lines): lines.isEmpty
        case .records(_, let areLines): areLines
        }
    }

    /// The place of a record.
    func location(of index: Int, file: Int32) -> RecordLocation {
        switch self {
        case .chunk(let chunk, let lines):
            RecordLocation(
                file: file, line: lines.isEmpty ? chunk.firstLine + index : lines[index], column: 1,
                byteOffset: chunk.byteOffset + chunk.start(of: index), record: chunk.firstRecord + index)
        case .records(let records, _):
            RecordLocation(
                file: file, line: records[index].line, column: records[index].column,
                byteOffset: records[index].byteOffset, record: records[index].number)
        }
    }

    /// Copies a record.
    func copy(_ index: Int, into target: inout Record) {
        switch self {
        case .chunk(let chunk, let lines):
            chunk.copy(index, line: lines.isEmpty ? chunk.firstLine + index : lines[index], into: &target)
        case .records(let records, _): target = records[index]
        }
    }
}
