import GranaryCoordination
import GranaryModel

/// The ends of one-to-one relationships.
extension StoreComparison {
    /// An object by its primary key and the root of its hierarchy.
    typealias Place = (key: Int64, root: Int)

    /// Whether a difference of a one-to-one relationship is also one at its other end, where it counts.
    ///
    /// Each end of a stored relationship can differ from the other one. So both stores must have the same link at both
    /// ends, and must not have it in common at the other end.
    func isCountedAtOtherEnd(
        _ relationship: DiffPlan.Relationship, _ cells: (StoredCell, StoredCell), _ owners: (a: Place, b: Place)
    ) throws -> Bool {
        guard let end = relationship.countedEnd else { return false }
        if case .reference(let key, let entity) = cells.0 {
            guard let number = plan.numbersInA[Int(entity)], try refers(a, Int(entity), key, end.a, to: owners.a) else {
                return false
            }
            if case .paired(let partner) = try index.partner(entity: number, object: key),
                try refers(b, plan.entities[number].b.index, partner, end.b, to: owners.b)
            {
                return false
            }
        }
        if case .reference(let key, let entity) = cells.1 {
            guard let number = plan.numbersInB[Int(entity)], try refers(b, Int(entity), key, end.b, to: owners.b) else {
                return false
            }
            if let partner = try index.partnerInA(entity: number, object: key),
                try refers(a, plan.entities[number].a.index, partner, end.a, to: owners.a)
            {
                return false
            }
        }
        return true
    }

    /// Whether an object refers to another one.
    private func refers(
        _ side: DiffSide, _ entity: Int, _ key: Int64, _ relationship: Schema.Relationship, to owner: Place
    ) throws -> Bool {
        let schema = side.schema
        guard schema.entities.indices.contains(entity) else { return false }
        let batch = try side.read(root: schema.entities[entity].root, keys: [key])
        guard !batch.rows.isEmpty,
            schema.entities[relationship.owner].family.contains(Int(batch.rows[0].entity)),
            case .reference(let found, let destination) = batch[0, relationship.slot],
            schema.entities.indices.contains(Int(destination))
        else { return false }
        return found == owner.key && schema.entities[Int(destination)].root == owner.root
    }
}
