import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The unique values of the rows of a batch request.
struct BatchUniqueness {
    private struct Key: Hashable {
        let owner: Int
        let names: [String]
        let cells: [StoredValue]
    }

    private enum StoredValue: Hashable {
        case attribute(AttributeValue)
        case reference(Int64)
    }

    private let run: BatchRun
    /// The values of the rows that are not written yet.
    private var seen: Set<Key> = []
    /// The first key of the rows that the request has inserted.
    private var firstNewKey: Int64?

    init(_ run: BatchRun) { self.run = run }

    /// Forgets the values of the rows before, which the store has now, so memory does not grow with the request.
    mutating func forgetValues() { seen.removeAll(keepingCapacity: true) }

    /// Notes the key of an inserted row. All later keys are larger.
    mutating func noteInsertion(_ key: Int64) { firstNewKey = firstNewKey ?? key }

    /// Returns the rule that a row breaks because another row of the request or of the store has its unique values.
    ///
    /// - Parameter key: the row's own key in the store; nil for a new row.
    mutating func violation(
        _ constraint: Schema.UniquenessConstraint, _ batch: RowBatch, row: Int, entity: Schema.Entity, key: Int64?
    ) throws -> (violation: Violation, value: String)? {
        var cells: [StoredValue] = []
        var texts: [String] = []
        for property in constraint.properties {
            switch property {
            case .attribute(let index):
                guard let value = try batch.value(row: row, of: entity.attributes[index]) else { return nil }
                cells.append(.attribute(value))
                texts.append(value.shortText)
            case .relationship(let index):
                guard case .reference(let target, _) = batch[row, entity.relationships[index].slot] else { return nil }
                cells.append(.reference(target))
                texts.append("p\(target)")
            }
        }
        let named = zip(constraint.names, texts).map { "\($0) \"\($1)\"" }.joined(separator: ", ")
        let value = texts.joined(separator: ", ")
        let unique = Key(owner: constraint.owner, names: constraint.names, cells: cells)
        let twice = Violation(.uniqueDuplicate, "\(named) must be unique, and another object of the batch has it")
        guard seen.insert(unique).inserted else { return (twice, value) }
        guard let other = try run.store.keys(matching: constraint, in: batch, row: row).first(where: { $0 != key })
        else { return nil }
        // An inserted row is gone when the request is refused.
        if let firstNewKey, other >= firstNewKey { return (twice, value) }
        let otherID = run.id(constraint.owner, other)
        return (Violation(.uniqueExists, "\(named) must be unique, and \(otherID) has the same"), value)
    }
}
