import GranaryModel
import GranaryPersistence

/// Stored rows as they were before an import changed them: for rows that may still be refused.
struct BeforeImages {
    private var rows = RowBatch()
    private var places: [RowID: (index: Int, slotCount: Int, place: RecordPlace)] = [:]

    mutating func keep(
        _ row: Int, of stored: borrowing RowBatch, entity: Schema.Entity, at place: RecordPlace
    ) {
        let id = RowID(root: entity.root, key: stored.rows[row].key)
        // The first one is how the store had it.
        if let known = places[id] {
            places[id] = (known.index, known.slotCount, place)
            return
        }
        guard rows.bytes.count < RowBatch.byteLimit else { return }
        let index = rows.append(row, of: stored, slotCount: entity.slotCount)
        places[id] = (index, entity.slotCount, place)
    }

    func has(_ row: RowID) -> Bool { places[row] != nil }

    func place(of row: RowID) -> RecordPlace? { places[row]?.place }

    mutating func forget(_ row: RowID) { places[row] = nil }

    /// The row as it was, as a batch of its own, and the record that has changed it.
    mutating func take(_ row: RowID) -> (rows: RowBatch, place: RecordPlace)? {
        guard let (index, slotCount, place) = places.removeValue(forKey: row) else { return nil }
        var single = RowBatch()
        single.append(index, of: rows, slotCount: slotCount)
        return (single, place)
    }
}
