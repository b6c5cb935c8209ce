import GranaryCoordination
import GranaryModel

/// Sets the references of spooled rows. Rows and references are both in the order of reading.
struct ReferenceFiller {
    private let table: ReferenceTable
    private let resolved: [ReferenceResolver.Resolved]
    private var next = 0
    /// The references of the current record, by owner; nil until they are needed.
    private var owners: [Int64: [Int]]?
    private var end = 0

    /// - Parameter resolved: the references of accepted records, in order.
    init(_ table: ReferenceTable, _ resolved: [ReferenceResolver.Resolved]) {
        self.table = table
        self.resolved = resolved
    }

    /// Sets the to-one relationships of all rows of a batch. Batches must be in the order of reading.
    mutating func fill(_ batch: inout ParsedRows) {
        for row in batch.rows.rows.indices {
            let record = batch.origins[row].record
            advance(to: record)
            guard next < end else { continue }
            if end - next <= Self.fewReferences {
                for index in next..<end { fill(index, row, &batch) }
            } else {
                if owners == nil {
                    owners = Dictionary(grouping: next..<end) { resolved[$0].owner }
                }
                for index in owners?[batch.rows.rows[row].key] ?? [] { fill(index, row, &batch) }
            }
        }
    }

    /// If a record has more references than this, they are found by owner, because it can have as many nested objects.
    private static let fewReferences = 8

    /// Moves to the references of a record.
    private mutating func advance(to record: RecordID) {
        func place(_ index: Int) -> RecordID { RecordID(table.references[Int(resolved[index].reference)].place) }
        if next < end, place(next) == record { return }
        owners = nil
        next = max(next, end)
        while next < resolved.count, place(next) < record { next += 1 }
        end = next
        while end < resolved.count, place(end) == record { end += 1 }
    }

    private func fill(_ index: Int, _ row: Int, _ batch: inout ParsedRows) {
        let one = resolved[index]
        let reference = table.references[Int(one.reference)]
        let relationship = table.relationship(of: reference)
        let header = batch.rows.rows[row]
        guard !relationship.isToMany, !reference.isLink, one.owner == header.key, one.ownerEntity == header.entity
        else { return }
        batch.rows[row, relationship.slot] =
            one.entity < 0 ? .null : .reference(key: one.key, entity: one.entity)
        if let merge = batch.merge(of: row) { batch.note(relationship.slot, merge) }
    }
}
