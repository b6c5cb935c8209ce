import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Unique values that stored objects give up while other objects get them. A store checks each row as it is written, so
/// these values are NULL until the object's own row is written.
struct FreedValues {
    private struct Freed {
        /// The row as it is without this.
        var image: RowBatch
        let slots: [Int]
        let last: RecordID
    }

    private var freed: [RowID: Freed] = [:]

    /// Sets the values to NULL; versions stay.
    mutating func clear(
        _ keys: [FreedKey], _ schema: Schema, _ store: any PersistentStore, _ writer: any StoreWriter
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

    /// What the object would be if its values were not removed, as a batch of one row.
    func original(_ row: RowID) -> RowBatch? { freed.isEmpty ? nil : freed[row]?.image }

    /// A record changes the object: it gets its values back with the last record that sets them.
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
