import GranaryBase
import GranaryCoordination
import GranaryModel

/// The values that accepted rows in the spool set on existing objects. If several rows set a value, the last row wins.
struct ChangedObjects {
    /// The values of one object.
    struct Object {
        /// Its row in ``ChangedObjects/rows``.
        let row: Int
        /// The last record that sets one of the slots.
        var place: RecordLocation
    }

    let slots: [Int]
    /// One row for each object, with only ``slots``.
    private(set) var rows = RowBatch()
    private var objects: [Int64: Object] = [:]
    private var filled: [UInt64] = []
    /// A hash of each slot that is set, for digests of whole rows; empty if no digest is wanted.
    private var hashes: [UInt64] = []
    private let width: Int
    private let wordCount: Int

    /// - Parameters:
    ///   - root: the root entity of the objects.
    ///   - slots: the slots whose values are kept.
    ///   - hasDigests: whether ``digest(_:of:_:_:)`` is used.
    init(
        _ spool: RowSpool, _ rejected: RejectedRecordSet, root: Schema.Entity, slots: [Int], hasDigests: Bool = false,
        schema: Schema
    ) throws {
        self.slots = slots
        width = schema.entities[root.family].map(\.slotCount).max() ?? 0
        wordCount = (width + 63) / 64
        try spool.forEach { batch in
            for (row, header) in batch.rows.rows.enumerated() {
                guard let merge = batch.merge(of: row), root.family.contains(Int(header.entity)),
                    !rejected.contains(batch.origins[row].place)
                else { continue }
                add(row, merge, of: batch, schema.entities[Int(header.entity)], hasDigests: hasDigests)
            }
            guard rows.bytes.count < RowBatch.byteLimit else {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded, "the records change more than \(RowBatch.byteLimit >> 30) GiB of natural keys",
                        entity: root.name))
            }
        }
    }

    var isEmpty: Bool { objects.isEmpty }

    private mutating func add(
        _ row: Int, _ merge: ParsedRows.Merge, of batch: borrowing ParsedRows, _ entity: Schema.Entity,
        hasDigests: Bool
    ) {
        let setSlots = slots.filter { batch.sets($0, merge) }
        guard hasDigests || !setSlots.isEmpty else { return }
        let header = batch.rows.rows[row]
        let place = batch.origins[row].place
        let object: Object
        if let known = objects[header.key] {
            object = known
        } else {
            let new = rows.appendRow(entity: entity.index, key: header.key, version: 0, slotCount: width)
            filled.append(contentsOf: repeatElement(0, count: wordCount))
            if hasDigests { hashes.append(contentsOf: repeatElement(0, count: width)) }
            object = Object(row: new, place: place)
            objects[header.key] = object
        }
        if !setSlots.isEmpty { objects[header.key]?.place = place }
        for slot in setSlots { rows.set(row: object.row, slot: slot, to: row, of: batch.rows) }
        for slot in 0..<entity.slotCount where batch.sets(slot, merge) {
            filled.setBit(slot, from: object.row * wordCount)
            if hasDigests { hashes[object.row * width + slot] = RowDigest.hash(slot, row, of: batch.rows) }
        }
    }

    subscript(key: Int64) -> Object? { objects.isEmpty ? nil : objects[key] }

    func sets(_ slot: Int, _ object: Object) -> Bool { filled.hasBit(slot, from: object.row * wordCount) }

    /// Whether one of ``slots`` is set.
    func setsAny(_ object: Object) -> Bool { slots.contains { sets($0, object) } }

    /// Returns a copy of a stored row with the new values of ``slots``.
    func changed(_ row: Int, of batch: borrowing RowBatch, _ object: Object, slotCount: Int) -> RowBatch {
        var changed = RowBatch()
        changed.append(row, of: batch, slotCount: slotCount)
        for slot in slots where sets(slot, object) { changed.set(row: 0, slot: slot, to: object.row, of: rows) }
        return changed
    }

    /// Returns the digest of a stored row with the new values of all slots.
    func digest(_ row: Int, of batch: borrowing RowBatch, _ object: Object, _ schema: Schema) -> Int {
        RowDigest.digest(row, of: batch, schema) { slot in
            sets(slot, object) ? hashes[object.row * width + slot] : nil
        }
    }
}
