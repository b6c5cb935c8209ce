import GranaryCoordination
import GranaryModel

/// The owners of objects that can have only one owner in a relationship: the other end of a one-to-one, and the members
/// of a to-many whose inverse is a to-one or missing. A record that takes such an object from another owner is
/// rejected, because it would change an object that no record names.
struct LinkOwners {
    /// The entity that declares a relationship, and its slot. Together they identify the relationship.
    struct Relation: Hashable {
        let owner: Int
        let slot: Int

        init(_ relationship: Schema.Relationship) {
            owner = relationship.owner
            slot = relationship.slot
        }
    }

    /// A relationship of one object.
    struct End: Hashable {
        private let relation: Relation
        private let object: Int64

        init(_ relationship: Schema.Relationship, of object: Int64) {
            relation = Relation(relationship)
            self.object = object
        }
    }

    private let schema: Schema
    private let store: any StoreBackend
    private let toOnes: SpooledToOnes
    private var claims: [End: (owner: Int64, place: RecordLocation)] = [:]
    /// The owners in the store, changed by spooled rows, by the key of the owned object.
    private var holders: [Relation: [Int64: Int64]] = [:]
    /// The owners in the store, for one-to-one relationships that are required at one end.
    private var stored: [Relation: [Int64: Int64]] = [:]
    /// The relationships of objects that accepted records set. The links that the store has there are replaced.
    private var restated: Set<End> = []
    /// The records whose claims no longer count.
    private var released: Set<RecordID> = []

    /// The present owner of an object; `place` is the reference of this import that made it the owner, or nil if none
    /// did.
    struct Holder {
        let owner: Int64
        let place: RecordLocation?
    }

    init(schema: Schema, store: any StoreBackend, toOnes: SpooledToOnes) {
        self.schema = schema
        self.store = store
        self.toOnes = toOnes
    }

    /// The name of a stored object for messages, `Patient/p3 "ann@example.org"`; nil if the store does not have it.
    func name(of key: Int64, root: Int) throws -> String? {
        guard key > 0 else { return nil }
        let stored = try store.read(root: root, keys: [key])
        guard !stored.isEmpty else { return nil }
        let text = ChangeText(schema: schema).key(row: 0, of: stored)
        return stored.objectName(row: 0, schema) + (text.map { " " + $0 } ?? "")
    }

    /// Notes that a record sets the relationship of `owner`.
    mutating func restate(_ relationship: Schema.Relationship, owner: Int64) {
        restated.insert(End(relationship, of: owner))
    }

    /// Makes `owner` the owner of `destination` unless another object is.
    ///
    /// - Returns: the other owner; nil if there is none.
    mutating func claim(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordLocation
    ) throws -> Holder? {
        let relation = Relation(relationship)
        let end = End(relationship, of: destination)
        if let earlier = claims[end], released.isEmpty || !released.contains(RecordID(earlier.place)) {
            return earlier.owner == owner ? nil : Holder(owner: earlier.owner, place: earlier.place)
        }
        if holders[relation] == nil { holders[relation] = try readHolders(of: relationship) }
        if let holder = holders[relation]?[destination], holder != owner,
            !isReleased(relationship, destination, by: holder)
        {
            return Holder(owner: holder, place: nil)
        }
        claims[end] = (owner, place)
        return nil
    }

    /// Notes that a record is rejected, so that its objects can have other owners.
    mutating func release(_ record: RecordID) { released.insert(record) }

    /// Notes the owner that an object's own record sets in a to-one whose inverse is a to-many. Lists must agree with
    /// it.
    mutating func note(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordLocation
    ) {
        let end = End(relationship, of: destination)
        if claims[end] == nil { claims[end] = (owner, place) }
    }

    /// The partner of an object in a one-to-one relationship as stored before the import.
    mutating func storedHolder(_ relationship: Schema.Relationship, of object: Int64) throws -> Int64? {
        let relation = Relation(relationship)
        if stored[relation] == nil { stored[relation] = try readToOnes(relationship) }
        return stored[relation]?[object]
    }

    /// The owner that an accepted record sets for the object.
    func claimant(_ relationship: Schema.Relationship, of object: Int64) -> Int64? {
        // Owners of rejected records have no positive primary key.
        claims[End(relationship, of: object)].flatMap { $0.owner > 0 ? $0.owner : nil }
    }

    /// Whether a record sets the relationship of one of the two ends.
    private func isReleased(_ relationship: Schema.Relationship, _ destination: Int64, by holder: Int64) -> Bool {
        if restated.contains(End(relationship, of: holder)) { return true }
        guard let inverse = schema.inverse(of: relationship) else { return false }
        return restated.contains(End(inverse, of: destination))
    }

    /// Reads the owners in a relationship, by the keys of the owned objects.
    private func readHolders(of relationship: Schema.Relationship) throws -> [Int64: Int64] {
        var holders: [Int64: Int64] = [:]
        if relationship.isToMany {
            let own = schema.inverse(of: relationship).map { $0.isToMany ? [:] : toOnes[$0] } ?? [:]
            try store.readLinks(of: relationship, owners: nil) {
                if own[$0.destination] == nil { holders[$0.destination] = $0.owner }
            }
            for (member, value) in own { if let owner = value.target { holders[member] = owner } }
            return holders
        }
        let own = toOnes[relationship]
        let others = schema.inverse(of: relationship).map { toOnes[$0] } ?? [:]
        holders = try readToOnes(relationship, but: own, others)
        for (owner, value) in own { if let key = value.target { holders[key] = owner } }
        for (key, value) in others { if let owner = value.target { holders[key] = owner } }
        return holders
    }

    /// Reads the owners of a to-one relationship that rows in the spool set at neither end.
    private func readToOnes(
        _ relationship: Schema.Relationship, but own: [Int64: SpooledToOnes.Value] = [:],
        _ others: [Int64: SpooledToOnes.Value] = [:]
    ) throws -> [Int64: Int64] {
        var holders: [Int64: Int64] = [:]
        try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices where own[batch.rows[row].key] == nil {
                guard case .reference(let key, _) = batch[row, relationship.slot], others[key] == nil else { continue }
                holders[key] = batch.rows[row].key
            }
            return true
        }
        return holders
    }
}

extension Schema {
    /// The inverse of a relationship; nil if it has none.
    func inverse(of relationship: Relationship) -> Relationship? {
        relationship.inverse.map { entities[$0.owner].relationships[$0.relationship] }
    }

    /// Whether the relationship and its inverse are to-one.
    func isOneToOne(_ relationship: Relationship) -> Bool {
        !relationship.isToMany && inverse(of: relationship)?.isToMany == false
    }

    /// Whether the relationship and its inverse are to-many.
    func isManyToMany(_ relationship: Relationship) -> Bool {
        relationship.isToMany && inverse(of: relationship)?.isToMany == true
    }
}
