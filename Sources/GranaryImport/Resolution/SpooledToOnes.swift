import GranaryCoordination
import GranaryModel

/// The to-one values of accepted rows in the spool that were resolved while reading. If several rows set the
/// relationship of one object, the last row wins.
struct SpooledToOnes {
    /// The value that a row sets for one object.
    struct Value {
        /// The object that the relationship refers to; nil for NULL.
        let target: Int64?
        let place: RecordLocation
    }

    private var values: [LinkOwners.Relation: [Int64: Value]] = [:]

    /// - Parameter relationships: the to-one relationships to collect.
    init(
        of relationships: [Schema.Relationship], _ spool: RowSpool, _ rejected: RejectedRecordSet, schema: Schema
    ) throws {
        guard !relationships.isEmpty else { return }
        try spool.forEach { batch in
            for (row, header) in batch.rows.rows.enumerated() {
                let origin = batch.origins[row]
                for relationship in relationships
                where schema.entities[relationship.owner].family.contains(Int(header.entity)) {
                    guard batch.sets(relationship.slot, row: row), !rejected.contains(origin.place) else { continue }
                    let relation = LinkOwners.Relation(relationship)
                    if case .reference(let key, _) = batch.rows[row, relationship.slot] {
                        values[relation, default: [:]][header.key] = Value(target: key, place: origin.place)
                    } else if origin.merge >= 0 {
                        // NULL in a new object removes no link.
                        values[relation, default: [:]][header.key] = Value(target: nil, place: origin.place)
                    }
                }
            }
        }
    }

    /// The values by the key of the object that has the relationship.
    subscript(relationship: Schema.Relationship) -> [Int64: Value] { values[LinkOwners.Relation(relationship)] ?? [:] }
}
