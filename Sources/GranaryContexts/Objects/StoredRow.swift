import GranaryCoordination
import GranaryModel

/// One row of a batch: the stored values of an object.
struct StoredRow {
    let shared: SharedBatch
    let index: Int
    let layout: ObjectLayout

    var version: Int64 { shared.batch.rows[index].version }
    var key: Int64 { shared.batch.rows[index].key }
    var id: ManagedObjectID {
        ManagedObjectID(origin: shared.identity, entity: layout.index, key: key)
    }

    /// Returns the value at a slot. The row was checked when it was read, so every cell has a value.
    func value(at slot: Int) -> SlotValue {
        switch layout.places[slot] {
        case .storedAttribute(let type):
            return .attribute(try? shared.batch.value(row: index, slot: slot, as: type))
        case .storedToOne:
            guard case .reference(let key, let entity) = shared.batch[index, slot] else { return .toOne(nil) }
            return .toOne(
                ManagedObjectID(origin: shared.identity, entity: Int(entity), key: key))
        case .none: return layout.blanks[slot]
        }
    }
}
