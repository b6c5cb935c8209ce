import GranaryModel
import GranaryPersistence

/// Who holds the objects that only one may hold over a relationship: the other end of a one-to-one, the members of a
/// to-many whose inverse is a to-one or that has none. Taking one from its holder would change an object that no
/// record speaks of, so it is refused.
struct LinkHolders {
    /// A relationship's identity: the entity that declares it, and its slot.
    private struct Relation: Hashable {
        let owner: Int
        let slot: Int

        init(_ relationship: Schema.Relationship) {
            owner = relationship.owner
            slot = relationship.slot
        }
    }

    private struct Holding: Hashable {
        let relation: Relation
        let destination: Int64
    }

    private var claims: [Holding: (owner: Int64, place: RecordPlace)] = [:]
    private var stored: [Relation: [Int64: Int64]] = [:]

    /// Who has the object already; `place` is nil for an object that the store had before.
    struct Holder {
        let owner: Int64
        let place: RecordPlace?
    }

    /// Notes that `owner` holds `destination` over the relationship. Gives back who held it before, if another did.
    ///
    /// - Parameter holders: reads from the store who holds what over a relationship, by the keys held; asked once.
    mutating func claim(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace,
        holders: (Schema.Relationship) throws -> [Int64: Int64]
    ) rethrows -> Holder? {
        let relation = Relation(relationship)
        let holding = Holding(relation: relation, destination: destination)
        if let earlier = claims[holding] {
            return earlier.owner == owner ? nil : Holder(owner: earlier.owner, place: earlier.place)
        }
        if stored[relation] == nil { stored[relation] = try holders(relationship) }
        if let holder = stored[relation]?[destination], holder != owner { return Holder(owner: holder, place: nil) }
        claims[holding] = (owner, place)
        return nil
    }
}
