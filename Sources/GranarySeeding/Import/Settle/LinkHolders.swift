import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

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
    private let words: EarlyWords
    private var claims: [Holding: (owner: Int64, place: RecordPlace)] = [:]
    /// Who holds what in the store, and by the words of rows that wait.
    private var holders: [Relation: [Int64: Int64]] = [:]
    /// Who held what in the store, for one-to-ones that may be required.
    private var stored: [Relation: [Int64: Int64]] = [:]
    /// Relationships that accepted records say anew, by owner: what the store has there does not hold any more.
    private var restated: Set<Holding> = []

    /// Who has the object already; `place` is nil for an object that no reference of this import has given it to.
    struct Holder {
        let owner: Int64
        let place: RecordPlace?
    }

    init(schema: Schema, store: any PersistentStore, words: EarlyWords) {
        self.schema = schema
        self.store = store
        self.words = words
    }

    mutating func restate(_ relationship: Schema.Relationship, owner: Int64) {
        restated.insert(Holding(relation: Relation(relationship), object: owner))
    }

    /// Notes that `owner` holds `destination` over the relationship, where no other does.
    ///
    /// - Returns: the other who does; nil if the claim is granted.
    mutating func claim(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace
    ) throws -> Holder? {
        let relation = Relation(relationship)
        let holding = Holding(relation: relation, object: destination)
        if let earlier = claims[holding] {
            return earlier.owner == owner ? nil : Holder(owner: earlier.owner, place: earlier.place)
        }
        if holders[relation] == nil { holders[relation] = try readHolders(of: relationship) }
        if let holder = holders[relation]?[destination], holder != owner,
            !isReleased(relationship, destination, by: holder)
        {
            return Holder(owner: holder, place: nil)
        }
        claims[holding] = (owner, place)
        return nil
    }

    /// Notes what a record says of itself over a to-one whose inverse is to-many: its list's owner must agree.
    mutating func note(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace
    ) {
        let holding = Holding(relation: Relation(relationship), object: destination)
        if claims[holding] == nil { claims[holding] = (owner, place) }
    }

    /// Whether anything was claimed: then it matters which other records stay.
    var hasClaims: Bool { !claims.isEmpty }

    /// Who held what over a one-to-one in the store, whatever records say of it; by the key held.
    mutating func storedHolder(_ relationship: Schema.Relationship, of object: Int64) throws -> Int64? {
        let relation = Relation(relationship)
        if stored[relation] == nil {
            var holders: [Int64: Int64] = [:]
            try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
                for row in batch.rows.indices {
                    if case .reference(let key, _) = batch[row, relationship.slot] {
                        holders[key] = batch.rows[row].key
                    }
                }
                return true
            }
            stored[relation] = holders
        }
        return stored[relation]?[object]
    }

    /// Who holds the object over the relationship by a claim of an accepted record.
    func claimant(_ relationship: Schema.Relationship, of object: Int64) -> Int64? {
        // The owner of a refused record's claim has no primary key.
        claims[Holding(relation: Relation(relationship), object: object)].flatMap { $0.owner > 0 ? $0.owner : nil }
    }

    /// Whether a record says anew whom one of the two ends is linked to.
    private func isReleased(_ relationship: Schema.Relationship, _ destination: Int64, by holder: Int64) -> Bool {
        if restated.contains(Holding(relation: Relation(relationship), object: holder)) { return true }
        guard let inverse = schema.inverse(of: relationship) else { return false }
        return restated.contains(Holding(relation: Relation(inverse), object: destination))
    }

    /// Who holds what over a relationship, by the keys held.
    private func readHolders(of relationship: Schema.Relationship) throws -> [Int64: Int64] {
        var holders: [Int64: Int64] = [:]
        if relationship.isToMany {
            let own = schema.inverse(of: relationship).map { $0.isToMany ? [:] : words[$0] } ?? [:]
            try store.readLinks(of: relationship, owners: nil) {
                if own[$0.destination] == nil { holders[$0.destination] = $0.owner }
            }
            for (member, word) in own { if let owner = word.target { holders[member] = owner } }
            return holders
        }
        let own = words[relationship]
        let others = schema.inverse(of: relationship).map { words[$0] } ?? [:]
        try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices where own[batch.rows[row].key] == nil {
                guard case .reference(let key, _) = batch[row, relationship.slot], others[key] == nil else { continue }
                holders[key] = batch.rows[row].key
            }
            return true
        }
        for (owner, word) in own { if let key = word.target { holders[key] = owner } }
        for (key, word) in others { if let owner = word.target { holders[key] = owner } }
        return holders
    }
}

extension Schema {
    /// The inverse of a relationship; nil if it has none.
    func inverse(of relationship: Relationship) -> Relationship? {
        relationship.inverse.map { entities[$0.owner].relationships[$0.relationship] }
    }
}
