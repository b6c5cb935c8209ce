import GranaryBase
import GranaryModel
import GranaryPersistence

/// Finds the objects that an import's references mean, once all rows are known, and refuses the records whose references
/// mean nothing, several objects, or one that another has.
struct ReferenceResolver {
    /// A reference whose two ends are known.
    struct Resolved {
        /// An index into the table's references.
        let reference: Int32
        let ownerEntity: Int32
        let owner: Int64
        /// -1: a list without members.
        var entity: Int32
        var key: Int64
        /// Left out after all: what it means was refused, and that was to leave it empty.
        var isDropped = false
    }

    let schema: Schema
    let files: [String]
    /// Whether records that refer to refused ones are refused too; otherwise nothing is kept anyway.
    let keepsGood: Bool
    let table: ReferenceTable
    var keys: TrackedKeys
    var resolved: [Resolved] = []
    var rejects: LateRejects
    var holders: LinkHolders
    /// Claims that hold as long as other records stay.
    var reliant: [(reference: Int, key: Int64, holder: Int64, records: [RecordID])] = []
    /// A hint costs a walk over thousands of keys, so of a file full of wrong ones the first get them: as many as this
    /// number of keys compared allows.
    var comparisonsLeft = 1_000_000
    let maker: LookupMaker
    let places: RowPlaces
    /// Stored objects that records speak of.
    let claimed: ClaimedPlaces
    var keysGiven: ImportKeys
    let note: (Diagnostic) -> Void

    init(
        schema: Schema, files: [String], keepsGood: Bool, table: ReferenceTable, keys: TrackedKeys,
        rejects: LateRejects, store: any PersistentStore, changed: BeforeImages, maker: LookupMaker, places: RowPlaces,
        claimed: ClaimedPlaces,
        keysGiven: ImportKeys,
        note: @escaping (Diagnostic) -> Void
    ) {
        self.schema = schema
        self.files = files
        self.keepsGood = keepsGood
        self.table = table
        self.keys = keys
        self.rejects = rejects
        self.maker = maker
        self.places = places
        self.claimed = claimed
        self.keysGiven = keysGiven
        self.note = note
        holders = LinkHolders(schema: schema, store: store, changed: changed)
    }

    /// What the look-ups' objects have taken is known here.
    var keysGivenNow: ImportKeys { keysGiven }

    func root(_ entity: Int32) -> Int { schema.entities[Int(entity)].root }

    mutating func resolve() throws {
        // Rows say anew what they speak of, whoever had it.
        for reference in table.references where !reference.isLink && !reference.isRejected {
            holders.restate(
                table.relationship(of: reference), owner: reference.owner, by: RecordID(reference.place))
        }
        var listed: Set<LinkHolders.Relation> = []
        for relationship in table.relationships where relationship.isToMany {
            listed.insert(LinkHolders.Relation(relationship))
        }
        var members: [Int] = []
        for index in table.references.indices {
            let reference = table.references[index]
            let relationship = table.relationship(of: reference)
            guard let owner = findOwner(of: reference, relationship) else { continue }
            guard reference.target != .nothing else {
                resolved.append(
                    Resolved(
                        reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: -1, key: 0))
                continue
            }
            guard let found = try find(reference, relationship) else { continue }
            if found.entity < 0 {
                resolved.append(
                    Resolved(
                        reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: -1, key: 0))
                continue
            }
            if relationship.isToMany {
                members.append(resolved.count)
            } else if let inverse = inverse(of: relationship) {
                if !inverse.isToMany {
                    guard try claimBoth(index, relationship, inverse, found.key) else { continue }
                } else if listed.contains(LinkHolders.Relation(inverse)) {
                    holders.note(inverse, destination: owner.key, owner: found.key, place: reference.place)
                }
            }
            resolved.append(
                Resolved(
                    reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: found.entity,
                    key: found.key))
        }
        // Behind the to-ones, so that a list and its members' own fields can be seen to disagree.
        for index in members { try claimMember(index) }
    }

    func inverse(of relationship: Schema.Relationship) -> Schema.Relationship? {
        relationship.inverse.map { schema.entities[$0.owner].relationships[$0.relationship] }
    }

    /// Who has the reference; a link's owner is found by its key.
    mutating func findOwner(
        of reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) -> (entity: Int32, key: Int64)? {
        guard reference.isLink else { return (reference.entity, reference.owner) }
        let key = table.ownerKey(of: reference)
        let tracked = Int(reference.ownerTracked)
        let found = keys.tracked[tracked].index.find(key)
        let name = schema.entities[Int(reference.entity)].name
        guard let entry = found, entry.twins != .different else {
            let isAmbiguous = found != nil
            report(
                reference, isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound,
                isAmbiguous ? "several \(name) objects have" : "there is no \(name) with", key, tracked, property: nil)
            return nil
        }
        if entry.isRejected, keepsGood {
            refuse(reference, because: entry)
            return nil
        }
        return (entry.entity, entry.key)
    }

    mutating func find(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) throws -> (entity: Int32, key: Int64)? {
        let tracked: Int?
        switch reference.target {
        case .nothing: return nil
        case .object(let entity, let key): return (entity, key)
        case .identifier: tracked = nil
        case .key(let number): tracked = Int(number)
        }
        let key = table.key(of: reference)
        // The index is not held: look-ups may add to it, and would copy it each time.
        let found = tracked.map { keys.tracked[$0].index.find(key) } ?? table.identifiers.find(key)
        guard let entry = found else { return missing(reference, relationship, tracked, key) }
        let destination = schema.entities[relationship.destination].name
        if entry.isRejected {
            guard keepsGood else { return (entry.entity, entry.key) }
            if reference.policy == .null { return leaveOut(reference, relationship, key) }
            refuse(reference, because: entry)
            return nil
        }
        if entry.twins == .different {
            report(reference, .relationshipAmbiguous, "several \(destination) objects have", key, tracked)
            return nil
        }
        guard schema.entity(Int(entry.entity), isKindOf: relationship.destination) else {
            let found = schema.entities[Int(entry.entity)].name
            refuse(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "\(KeyBytes.display(key[...])) is an object of \(found), not of \(destination)"))
            return nil
        }
        if entry.twins == .equal {
            var warning = diagnostic(
                reference, .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(KeyBytes.display(key[...])); the first is taken")
            warning.severity = .warning
            note(warning)
        }
        return (entry.entity, entry.key)
    }

    mutating func missing(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ tracked: Int?, _ key: [UInt8]
    ) -> (entity: Int32, key: Int64)? {
        let destination = schema.entities[relationship.destination].name
        switch reference.policy {
        case .null: return leaveOut(reference, relationship, key)
        case .create:
            guard let tracked else { break }
            // For a record that is refused anyway nothing is made, and nothing is missing.
            guard !reference.isRejected else { return nil }
            let result = maker.make(tracked, key, relationship, in: &keys) { keysGiven.next(root: $0) }
            switch result {
            case .success(let made): return made
            case .failure(let problem):
                refuse(
                    reference,
                    diagnostic(
                        reference, .relationshipNotFound,
                        "there is no \(destination) with the key \(KeyBytes.display(key[...])), and none can be made: "
                            + problem.reason))
                return nil
            }
        case .error: break
        }
        report(reference, .relationshipNotFound, "there is no \(destination) with", key, tracked)
        return nil
    }

    /// A reference to nothing that is to be left empty: entity -1. What is required cannot be.
    mutating func leaveOut(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ key: [UInt8]
    ) -> (entity: Int32, key: Int64)? {
        guard !relationship.isToMany, let violation = relationship.violations(ofCount: 0).first else {
            return reference.isLink ? nil : (-1, 0)
        }
        let destination = schema.entities[relationship.destination].name
        refuse(
            reference,
            diagnostic(
                reference, .relationshipNotFound,
                "there is no \(destination) with the key \(KeyBytes.display(key[...])), and \(violation.message)"))
        return nil
    }
}
