import GranaryBase
import GranaryCoordination
import GranaryModel

/// The rows that the store will have after the import: the stored rows with the changes of accepted spooled rows, and
/// the accepted new spooled rows. The store is not changed.
struct ResultingRows {
    let schema: Schema
    let store: any StoreBackend
    let spool: RowSpool
    let rejected: RejectedRecordSet

    /// One row, valid for one call.
    struct Row {
        let index: Int
        let id: RowID
        /// The last record that sets one of the requested slots; nil if no record does.
        let place: RecordLocation?
        /// Whether the store does not have the object yet.
        let isNew: Bool
        /// The stored natural key of the requested slots, for a row that records change; nil if one is NULL.
        var before: [UInt8]?
        /// The stored value of the first requested slot, if it is a to-one.
        var reference: Int64?
    }

    /// Calls `body` with each row of a family of entities: first the stored rows in the store's order, then the new
    /// rows in the order of the records.
    ///
    /// - Parameters:
    ///   - slots: the slots that `body` reads. Changes of other slots are not applied.
    ///   - body: receives the row, its batch, and its digest, or 0 if `hasDigests` is false.
    func forEach(
        of family: Range<Int>, slots: [Int], hasDigests: Bool = false,
        _ body: (Row, borrowing RowBatch, Int) throws -> Void
    ) throws {
        guard let first = family.first else { return }
        let root = schema.entities[schema.entities[first].root]
        let changes = try ChangedObjects(
            spool, rejected, root: root, slots: slots, hasDigests: hasDigests, schema: schema)
        func call(_ row: Int, of batch: borrowing RowBatch, from origin: RecordLocation?) throws {
            let isNew = origin != nil
            let header = batch.rows[row]
            let id = RowID(root: root.index, key: header.key)
            guard let object = changes[header.key] else {
                let digest = hasDigests ? RowDigest.digest(row, of: batch, schema) : 0
                return try body(Row(index: row, id: id, place: origin, isNew: isNew), batch, digest)
            }
            let digest = hasDigests ? changes.digest(row, of: batch, object, schema) : 0
            let changed = changes.changed(
                row, of: batch, object, slotCount: schema.entities[Int(header.entity)].slotCount)
            let place = changes.setsAny(object) ? object.place : origin
            var before: [UInt8] = []
            let hadKey = !isNew && KeyIndexes.appendKey(of: row, in: batch, slots: slots, to: &before)
            var reference: Int64?
            if !isNew, let slot = slots.first, case .reference(let key, _) = batch[row, slot] { reference = key }
            try body(
                Row(
                    index: 0, id: id, place: place, isNew: isNew, before: hadKey ? before : nil, reference: reference),
                changed, digest)
        }
        try store.read(entities: family, batchSize: 1000) { batch in
            for row in batch.rows.indices { try call(row, of: batch, from: nil) }
            return true
        }
        try spool.forEach { batch in
            for (row, header) in batch.rows.rows.enumerated()
            where batch.origins[row].merge < 0 && family.contains(Int(header.entity)) {
                let place = batch.origins[row].place
                if !rejected.contains(place) { try call(row, of: batch.rows, from: place) }
            }
        }
    }
}
