import GranaryCoordination
import GranaryModel

/// Unique values of stored objects that other objects take over in the same import. The store checks uniqueness for
/// each row, so these values are set to NULL until the row of the stored object is written.
struct ReleasedUniqueValues {
    private struct Freed {
        /// The row with its previous values.
        var image: RowBatch
        let slots: [Int]
        /// The last record that sets one of the slots.
        let last: RecordID
    }

    private var freed: [RowID: Freed] = [:]

    /// Sets the values to NULL without changing versions.
    mutating func clear(
        _ keys: [FreedKey], _ schema: Schema, _ store: any StoreBackend, _ writer: any StoreWriter
    ) throws {
        for (root, keys) in Dictionary(grouping: keys, by: \.row.root).sorted(by: { $0.key < $1.key }) {
            var rest = keys[...]
            while !rest.isEmpty {
                let some = rest.prefix(RowWriter.lookupRows)
                rest = rest.dropFirst(RowWriter.lookupRows)
                let slots = Dictionary(some.map { ($0.row.key, $0) }, uniquingKeysWith: { first, _ in first })
                var rows = try store.read(root: root, keys: some.map(\.row.key))
                for row in rows.rows.indices {
                    guard let key = slots[rows.rows[row].key] else { continue }
                    var image = RowBatch()
                    image.append(row, of: rows, slotCount: schema.entities[Int(rows.rows[row].entity)].slotCount)
                    if freed[key.row] == nil {
                        freed[key.row] = Freed(image: image, slots: key.slots, last: key.record)
                    }
                    for slot in key.slots { rows[row, slot] = .null }
                }
                try writer.update(rows)
            }
        }
    }

    /// The row of an object with its previous values, as a batch; nil if none were removed.
    func original(_ row: RowID) -> RowBatch? { freed.isEmpty ? nil : freed[row]?.image }

    /// Keeps the values NULL in a change of the object, unless `record` is the last one that sets them.
    mutating func take(_ row: RowID, _ update: Int, of updates: inout RowBatch, by record: RecordID) {
        guard !freed.isEmpty, let known = freed[row] else { return }
        guard record != known.last else {
            freed[row] = nil
            return
        }
        var image = RowBatch()
        image.append(update, of: updates, slotCount: known.image.cells.count)
        freed[row]?.image = image
        for slot in known.slots { updates[update, slot] = .null }
    }
}
