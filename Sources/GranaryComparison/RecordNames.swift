import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The columns of a source, without those of nested objects, and the entities that its `$id`s name.
struct RecordNames {
    private(set) var columns: [String] = []
    private(set) var entities: Set<String> = []

    var hasIdentifiers: Bool { columns.contains(RecordTable.identifierColumn) }
    /// Whether a column names the entity of each record.
    var hasEntityColumn: Bool { columns.contains(RecordTable.entityColumn) }

    /// Reads the header of a table, or all records of a source without a header.
    ///
    /// - Parameter readsAll: whether to read the records of a table too, for ``entities``.
    init(
        of source: ImportSource, readsAll: Bool = false, cancellation: Cancellation?
    ) throws(GranaryError) {
        let reader = try source.makeReader()
        try reader.readHeader()
        columns = reader.columns
        let hasHeader = !columns.isEmpty
        if hasHeader, !readsAll { return }
        var isFound: [Bool] = []
        var record = Record()
        reading: while true {
            try cancellation?.check()
            switch try reader.next(into: &record) {
            case .end: break reading
            case .malformed: continue
            case .record: break
            }
            while isFound.count < reader.columns.count { isFound.append(false) }
            for field in record.fields where isFound.indices.contains(Int(field.column)) {
                isFound[Int(field.column)] = true
                guard reader.columns[Int(field.column)] == RecordTable.identifierColumn,
                    field.kind == .text || field.kind == .quoted,
                    let name = ExportedName(String(decoding: record.bytes[field.range], as: UTF8.self))
                else { continue }
                entities.insert(name.entity)
            }
        }
        if !hasHeader { columns = zip(reader.columns, isFound).filter(\.1).map(\.0) }
    }
}
