/// The record that names each object: the one that created it or changed it last.
///
/// It is computed on first use. Most imports never use it, and it has an entry for each row.
final class RecordsByObject {
    /// The indexes after all records are read; nil once ``places`` is computed.
    private var keys: KeyIndexes?
    private var places: [RowID: RecordLocation] = [:]

    init(_ keys: KeyIndexes?) { self.keys = keys }

    subscript(row: RowID) -> RecordLocation? {
        if let keys {
            places = keys.recordsByObject()
            self.keys = nil
        }
        return places[row]
    }
}
