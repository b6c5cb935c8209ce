import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Leaves out rows that cannot match when they are read, so that they need not stay in memory until their objects are
/// evaluated.
///
/// It tests the parts of the predicate that use only stored attributes of the row itself: their values are the same in
/// an object without changes.
struct FetchRowFilter {
    private let test: CompiledPredicate?

    init(_ predicate: ObjectPredicate?, entity: Schema.Entity) {
        let parts: [ObjectPredicate] =
            switch predicate {
            case .and(let parts)?: parts
            case let single?: [single]
            case nil: []
            }
        let own = parts.filter { Self.usesOnlyAttributes($0, of: entity) }
        test = own.isEmpty ? nil : CompiledPredicate(.and(own))
    }

    private static func usesOnlyAttributes(_ predicate: ObjectPredicate, of entity: Schema.Entity) -> Bool {
        predicate.parts.allSatisfy { part in
            switch part {
            case .predicate, .expression(.constant), .expression(.null), .expression(.list): true
            case .expression(.keyPath(let path)): entity.attribute(named: path)?.isPersistent ?? false
            case .expression: false
            }
        }
    }

    /// Returns the rows that may match, and those of `isKnown`.
    func kept(
        _ batch: RowBatch, _ cache: RowSubject.Cache, isKnown: (_ entity: Int, _ key: Int64) -> Bool
    ) throws -> RowBatch {
        guard let test else { return batch }
        var chosen: [Int] = []
        for row in batch.rows.indices {
            let header = batch.rows[row]
            if isKnown(Int(header.entity), header.key) {
                chosen.append(row)
                continue
            }
            let outcome = test.outcome(on: RowSubject(cache: cache, batch: batch, row: row))
            try cache.check()
            if outcome != .fails { chosen.append(row) }
        }
        guard chosen.count < batch.rows.count else { return batch }
        var kept = RowBatch()
        for row in chosen {
            let entity = cache.schema.entities[Int(batch.rows[row].entity)]
            kept.append(row, of: batch, slotCount: entity.slotCount)
        }
        return kept
    }
}
