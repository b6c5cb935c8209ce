import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// To-ones that accepted rows in the spool set themselves and that were resolved while reading; the last row wins.
struct EarlyWords {
    /// One object's own word.
    struct Word {
        /// The object that it means; nil for none.
        let target: Int64?
        let place: RecordPlace
    }

    private var words: [LinkHolders.Relation: [Int64: Word]] = [:]

    /// - Parameter relationships: the to-ones whose words are wanted.
    init(
        of relationships: [Schema.Relationship], _ spool: RowSpool, _ refused: RefusedRecords, schema: Schema
    ) throws {
        guard !relationships.isEmpty else { return }
        try spool.forEach { batch in
            for (row, header) in batch.rows.rows.enumerated() {
                let origin = batch.origins[row]
                for relationship in relationships
                where schema.entities[relationship.owner].family.contains(Int(header.entity)) {
                    guard batch.says(relationship.slot, row: row), !refused.contains(origin.place) else { continue }
                    let relation = LinkHolders.Relation(relationship)
                    if case .reference(let key, _) = batch.rows[row, relationship.slot] {
                        words[relation, default: [:]][header.key] = Word(target: key, place: origin.place)
                    } else if origin.merge >= 0 {
                        // A new object without a word has nothing to let go of.
                        words[relation, default: [:]][header.key] = Word(target: nil, place: origin.place)
                    }
                }
            }
        }
    }

    subscript(relationship: Schema.Relationship) -> [Int64: Word] { words[LinkHolders.Relation(relationship)] ?? [:] }
}
