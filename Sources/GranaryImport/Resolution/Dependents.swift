import GranaryBase
import GranaryCoordination
import GranaryModel

/// The references to the objects of each record, and the records that change these objects. If the record is rejected,
/// its dependents are rejected too.
struct Dependents {
    /// A dependency on a record.
    enum Need: BitwiseCopyable {
        /// An index into the resolved references.
        case reference(Int32)
        /// A reference that was resolved while reading; an index into ``Dependents/rows``.
        case row(Int32)
        /// A record that changes an object which the record creates, whose natural key the record sets, or that equals
        /// the record; an index into ``Dependents/rows``.
        case use(Int32)
    }

    /// A record that refers to a new object in a to-one relationship. For a use, `slot` is its reason.
    struct DependentRow: BitwiseCopyable {
        let place: RecordLocation
        let entity: Int32
        let slot: Int32
    }

    private var needs: [(record: RecordID, line: Int, need: Need)] = []
    private(set) var rows: [DependentRow] = []

    /// - Parameter uses: the records that change objects of other records.
    init(
        _ resolved: [ReferenceResolver.Resolved], _ table: ReferenceTable, _ spool: RowSpool, places: RowPlaces,
        uses: [RecordUses.Use], schema: Schema
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
            // A link also depends on the record of its owner.
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
                    needs.append((target.id, target.line, .row(Int32(truncatingIfNeeded: rows.count))))
                    rows.append(
                        DependentRow(
                            place: place, entity: batch.rows.rows[row].entity,
                            slot: Int32(truncatingIfNeeded: relationship.slot)))
                }
            }
        }
        for use in uses {
            needs.append((use.record, use.line, .use(Int32(truncatingIfNeeded: rows.count))))
            rows.append(DependentRow(place: use.place, entity: 0, slot: Int32(use.reason.rawValue)))
        }
        needs.sort { $0.record < $1.record }
    }

    /// The dependencies on a record.
    func needs(of record: RecordID) -> ArraySlice<(record: RecordID, line: Int, need: Need)> {
        let start = needs.partitioningIndex { !($0.record < record) }
        return needs[start...].prefix { $0.record == record }
    }
}
