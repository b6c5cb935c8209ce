import GranaryModel
import GranaryPersistence

/// Who holds the objects that only one may hold over a relationship: the other end of a one-to-one, the members of a
/// to-many whose inverse is a to-one or that has none. Taking one from its holder would change an object that no
/// record speaks of, so it is refused.
struct LinkHolders {
    /// A relationship's identity: the entity that declares it, and its slot.
    struct Relation: Hashable {
        let owner: Int
        let slot: Int

        init(_ relationship: Schema.Relationship) {
            owner = relationship.owner
            slot = relationship.slot
        }
    }

    private struct Holding: Hashable {
        let relation: Relation
        let object: Int64
    }

    private let schema: Schema
    private let store: any PersistentStore
    /// Rows that records have changed as they were read.
    private let changed: BeforeImages
    /// Who held objects before records took the link out as they were read.
    private var early: [Relation: [Int64: (holder: Int64, records: [RecordID])]] = [:]
    private var claims: [Holding: (owner: Int64, place: RecordPlace, claim: Claim)] = [:]
    private var stored: [Relation: [Int64: Int64]] = [:]
    /// Relationships that records of this import say anew, by owner: what the store has there does not hold any more.
    private var restated: [Holding: [RecordID]] = [:]

    /// Who has the object already; `place` is nil for an object that no reference of this import has given it to.
    struct Holder {
        let owner: Int64
        let place: RecordPlace?
    }

    init(schema: Schema, store: any PersistentStore, changed: BeforeImages) {
        self.changed = changed
        self.schema = schema
        self.store = store
    }

    mutating func restate(_ relationship: Schema.Relationship, owner: Int64, by record: RecordID) {
        restated[Holding(relation: Relation(relationship), object: owner), default: []].append(record)
    }

    enum Claim {
        case free
        /// The store's holder lets go, because these records say so: as long as one of them stays.
        case released(holder: Int64, by: [RecordID])
        case held(Holder)
    }

    /// Notes that `owner` holds `destination` over the relationship, where no other does.
    mutating func claim(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace
    ) throws -> Claim {
        let relation = Relation(relationship)
        let holding = Holding(relation: relation, object: destination)
        if let earlier = claims[holding] {
            // It rests on the same records as the first time.
            return earlier.owner == owner
                ? earlier.claim : .held(Holder(owner: earlier.owner, place: earlier.place))
        }
        if stored[relation] == nil {
            stored[relation] = try holders(of: relationship)
            early[relation] = earlyHolders(of: relationship)
        }
        var claim = Claim.free
        if let holder = stored[relation]?[destination], holder != owner {
            let records = releases(relationship, destination, by: holder)
            guard !records.isEmpty else { return .held(Holder(owner: holder, place: nil)) }
            claim = .released(holder: holder, by: records)
        } else if let (holder, records) = early[relation]?[destination], holder != owner {
            claim = .released(holder: holder, by: records)
        }
        claims[holding] = (owner, place, claim)
        return claim
    }

    /// Notes what a record says of itself over a to-one whose inverse is to-many: its list's owner must agree.
    mutating func note(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace
    ) {
        let holding = Holding(relation: Relation(relationship), object: destination)
        if claims[holding] == nil { claims[holding] = (owner, place, .free) }
    }

    /// The records that say anew whom one of the two ends is linked to.
    private func releases(
        _ relationship: Schema.Relationship, _ destination: Int64, by holder: Int64
    ) -> [RecordID] {
        var records = restated[Holding(relation: Relation(relationship), object: holder)] ?? []
        if let inverse = relationship.inverse {
            let other = schema.entities[inverse.owner].relationships[inverse.relationship]
            records += restated[Holding(relation: Relation(other), object: destination)] ?? []
        }
        return records
    }

    private func earlyHolders(
        of relationship: Schema.Relationship
    ) -> [Int64: (holder: Int64, records: [RecordID])] {
        var found: [Int64: (holder: Int64, records: [RecordID])] = [:]
        if relationship.isToMany {
            // The members know their owner.
            guard let inverse = relationship.inverse else { return [:] }
            let other = schema.entities[inverse.owner].relationships[inverse.relationship]
            guard !other.isToMany else { return [:] }
            for one in changed.originals(root: schema.entities[other.owner].root, slot: other.slot) {
                found[one.row.key] = (one.target, one.records)
            }
        } else {
            for one in changed.originals(root: schema.entities[relationship.owner].root, slot: relationship.slot) {
                found[one.target] = (one.row.key, one.records)
            }
        }
        return found
    }

    /// Who holds what over a relationship in the store, by the keys held.
    private func holders(of relationship: Schema.Relationship) throws -> [Int64: Int64] {
        var holders: [Int64: Int64] = [:]
        if relationship.isToMany {
            try store.readLinks(of: relationship, owners: nil) { holders[$0.destination] = $0.owner }
            return holders
        }
        try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices {
                guard case .reference(_, let key) = batch[row, relationship.slot] else { continue }
                holders[key] = batch.rows[row].key
            }
            return true
        }
        return holders
    }
}
