import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Fills the references of rows that wait: in the order of reading, in which both the rows and the references stand.
struct ReferenceFiller {
    private let table: ReferenceTable
    private let resolved: [ReferenceResolver.Resolved]
    private var next = 0
    /// The references of the record at hand, by owner; nil before they are asked for.
    private var owners: [Int64: [Int]]?
    private var end = 0

    /// - Parameter resolved: the references of accepted records, in order.
    init(_ table: ReferenceTable, _ resolved: [ReferenceResolver.Resolved]) {
        self.table = table
        self.resolved = resolved
    }

    /// Fills the to-ones of all rows of a batch. The batches come in the order of reading.
    mutating func fill(_ batch: inout CheckedRows) {
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

    /// Records with more references than this are looked up by owner: they may have as many nested objects.
    private static let fewReferences = 8

    /// Goes to the references of a record.
    private mutating func advance(to record: RecordID) {
        func place(_ index: Int) -> RecordID { RecordID(table.references[Int(resolved[index].reference)].place) }
        if next < end, place(next) == record { return }
        owners = nil
        next = max(next, end)
        while next < resolved.count, place(next) < record { next += 1 }
        end = next
        while end < resolved.count, place(end) == record { end += 1 }
    }

    private func fill(_ index: Int, _ row: Int, _ batch: inout CheckedRows) {
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
