import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// The place of a record or a field: a compact ``SourcePosition``, because each waiting reference has one.
struct RecordLocation: BitwiseCopyable {
    var file: Int32
    var line: Int
    var column = 1
    /// -1 if unknown.
    var byteOffset = -1
    var record: Int

    func position(files: [String]) -> SourcePosition {
        SourcePosition(
            file: files.indices.contains(Int(file)) ? files[Int(file)] : "", line: line, column: column,
            byteOffset: byteOffset < 0 ? nil : byteOffset, record: record)
    }

    func describe(_ files: [String]) -> String {
        "\(files.indices.contains(Int(file)) ? files[Int(file)] : "the store"):\(line)"
    }
}
