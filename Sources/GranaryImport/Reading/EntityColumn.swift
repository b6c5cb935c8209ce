import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The column `$entity` of a source, which names the entity of each record.
struct EntityColumn {
    private let isUsed: Bool
    /// The number of columns that were searched.
    private var searched = 0
    private var found: Int32?

    /// Without a source.
    init() { isUsed = false }

    /// - Parameter options: if they ignore or map the column, it names no entities.
    init(_ options: ImportOptions) {
        let name = RecordTable.entityColumn
        isUsed = !options.ignoredColumns.contains(name) && options.columnMap[name] == nil
    }

    /// Whether the source has the column, as far as it was read.
    var isKnown: Bool { found != nil }

    /// The index of the column; nil if the source does not have it so far.
    mutating func index(in columns: [String]) -> Int32? {
        guard isUsed, searched < columns.count else { return found }
        if found == nil, let place = columns[searched...].firstIndex(of: RecordTable.entityColumn) {
            found = Int32(clamping: place)
        }
        searched = columns.count
        return found
    }
}
