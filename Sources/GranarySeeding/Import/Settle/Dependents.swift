import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// What depends on a record: references to its objects, and records that change these objects. They are refused with it.
struct Dependents {
    /// One thing that a record's objects are needed for.
    enum Need: BitwiseCopyable {
        /// An index into the resolved references.
        case reference(Int32)
        /// A reference that was set as it was read, by an index into ``Dependents/early``.
        case early(Int32)
        /// A record that changes an object which the refused record makes, or that is found by a key which it gives.
        case use(Int32)
    }

    /// A record with a property that refers to a new object.
    struct Early: BitwiseCopyable {
        let place: RecordPlace
        let entity: Int32
        let slot: Int32
    }

    private var needs: [(record: RecordID, line: Int, need: Need)] = []
    private(set) var early: [Early] = []

    /// - Parameter uses: the records that change objects which other records make, or are found by a key of theirs.
    init(
        _ resolved: [ReferenceResolver.Resolved], _ table: ReferenceTable, _ spool: RowSpool, places: RowPlaces,
        uses: [RecordIntake.Use], schema: Schema
    ) throws {
        func record(_ entity: Int32, _ key: Int64) -> (id: RecordID, line: Int)? {
            places[RowID(root: schema.entities[Int(entity)].root, key: key)].map {
                (RecordID(file: $0.file, record: $0.record), $0.line)
            }
        }
        for (index, one) in resolved.enumerated() where !one.isDropped {
            let own = RecordID(table.references[Int(one.reference)].place)
            if one.entity >= 0, let target = record(one.entity, one.key), target.id != own {
                needs.append((target.id, target.line, .reference(Int32(truncatingIfNeeded: index))))
            }
            // A link goes with its owner too.
            if table.references[Int(one.reference)].isLink, let owner = record(one.ownerEntity, one.owner) {
                needs.append((owner.id, owner.line, .reference(Int32(truncatingIfNeeded: index))))
            }
        }
        let references = schema.entities.map { entity in
            entity.relationships.filter { !$0.isToMany && $0.isPersistent }
        }
        try spool.forEach { batch in
            for row in batch.rows.rows.indices {
                let place = batch.origins[row].place
                for relationship in references[Int(batch.rows.rows[row].entity)] {
                    guard case .reference(let key, _) = batch.rows[row, relationship.slot],
                        let target = record(Int32(relationship.destination), key), target.id != RecordID(place)
                    else { continue }
                    needs.append((target.id, target.line, .early(Int32(truncatingIfNeeded: early.count))))
                    early.append(
                        Early(
                            place: place, entity: batch.rows.rows[row].entity,
                            slot: Int32(truncatingIfNeeded: relationship.slot)))
                }
            }
        }
        for use in uses {
            needs.append((use.record, use.line, .use(Int32(truncatingIfNeeded: early.count))))
            early.append(Early(place: use.place, entity: 0, slot: use.isKey ? 1 : 0))
        }
        needs.sort { $0.record < $1.record }
    }

    /// What needs the objects of a record.
    func needs(of record: RecordID) -> ArraySlice<(record: RecordID, line: Int, need: Need)> {
        var low = 0
        var high = needs.count
        while low < high {
            let middle = low + (high - low) / 2
            if needs[middle].record < record { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < needs.count, needs[end].record == record { end += 1 }
        return needs[low..<end]
    }
}
