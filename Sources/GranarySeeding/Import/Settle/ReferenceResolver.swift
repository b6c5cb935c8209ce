import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

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
        /// Left out after all: its record was refused, or what it means was, and that was to leave it empty.
        var isDropped = false
        /// Whether several equal objects have the key, of which it means the first.
        var isAmbiguous = false
    }

    let schema: Schema
    let files: [String]
    /// Whether records that refer to refused ones are refused too; otherwise nothing is kept anyway.
    let keepsGood: Bool
    let table: ReferenceTable
    let keys: NaturalKeys
    /// The records that were refused before this round.
    let refused: RefusedRecords
    let places: RowPlaces
    /// Stored objects that records speak of.
    let claimed: ClaimedPlaces
    var resolved: [Resolved] = []
    var holders: LinkHolders
    var maker: LookupMaker
    /// Takes what is wrong, and the record to refuse for it; nil for a record that was refused while it was read.
    let report: (RecordID?, Diagnostic) -> Void
    /// The number of natural keys that may still be compared for hints.
    var comparisonsLeft: Int

    /// Hints compare a wrong key with thousands of others, so only the first wrong keys of a run get one.
    static let comparisonLimit = 1_000_000

    init(
        _ intake: RecordIntake, refused: RefusedRecords, claimed: ClaimedPlaces, words: EarlyWords,
        store: any PersistentStore, comparisonsLeft: Int, report: @escaping (RecordID?, Diagnostic) -> Void
    ) {
        self.report = report
        schema = intake.schema
        files = intake.files
        keepsGood = intake.keepsGood
        table = intake.context.references
        keys = intake.context.naturalKeys
        places = intake.places
        self.refused = refused
        self.claimed = claimed
        self.comparisonsLeft = comparisonsLeft
        maker = LookupMaker(schema: schema, primaryKeys: intake.primaryKeys)
        holders = LinkHolders(schema: schema, store: store, words: words)
    }

    func root(_ entity: Int32) -> Int { schema.entities[Int(entity)].root }

    /// - Parameter withRejected: whether references of records that were refused while they were read are looked at too: more
    ///   may be wrong with them.
    mutating func resolve(withRejected: Bool) throws {
        // Rows say anew what they speak of, whoever had it.
        for reference in table.references where !reference.isLink && !isRefused(reference) {
            holders.restate(table.relationship(of: reference), owner: reference.owner)
        }
        var listed: Set<LinkHolders.Relation> = []
        for relationship in table.relationships where relationship.isToMany {
            listed.insert(LinkHolders.Relation(relationship))
        }
        var members: [Int] = []
        for index in table.references.indices {
            let reference = table.references[index]
            if refused.contains(reference.place) || reference.isRejected && !withRejected { continue }
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
            } else if let inverse = schema.inverse(of: relationship) {
                if !inverse.isToMany {
                    guard try claimBoth(index, relationship, inverse, found.key) else { continue }
                } else if listed.contains(LinkHolders.Relation(inverse)) {
                    holders.note(inverse, destination: owner.key, owner: found.key, place: reference.place)
                }
            }
            resolved.append(
                Resolved(
                    reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: found.entity,
                    key: found.key, isAmbiguous: found.isAmbiguous))
        }
        // Behind the to-ones, so that a list and its members' own fields can be seen to disagree.
        for index in members { try claimMember(index) }
    }

    /// Whether the reference's record was refused, while it was read or later.
    func isRefused(_ reference: ReferenceTable.Reference) -> Bool {
        reference.isRejected || refused.contains(reference.place)
    }

    /// Whether the record that has brought an entry was refused.
    func isRefused(_ entry: NaturalKeyIndex.Entry) -> Bool {
        entry.isRejected || refused.isGone(RowID(root: root(entry.entity), key: entry.key))
    }

    /// What a reference means.
    struct Found {
        /// -1: nothing, and that is as it should be.
        let entity: Int32
        let key: Int64
        var isAmbiguous = false

        static let nothing = Found(entity: -1, key: 0)
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
            refuse(
                reference, isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound,
                isAmbiguous ? "several \(name) objects have" : "there is no \(name) with", key, tracked, property: nil)
            return nil
        }
        if isRefused(entry), keepsGood {
            refuse(reference, because: entry)
            return nil
        }
        return (entry.entity, entry.key)
    }

    mutating func find(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) throws -> Found? {
        let tracked: Int?
        switch reference.target {
        case .nothing: return nil
        case .object(let entity, let key): return Found(entity: entity, key: key)
        case .identifier: tracked = nil
        case .key(let number): tracked = Int(number)
        }
        let key = table.key(of: reference)
        let found = tracked.map { keys.tracked[$0].index.find(key) } ?? table.identifiers.find(key)
        guard let entry = found else { return missing(reference, relationship, tracked, key) }
        let destination = schema.entities[relationship.destination].name
        if isRefused(entry) {
            guard keepsGood else { return Found(entity: entry.entity, key: entry.key) }
            if reference.policy == .null { return leaveOut(reference, relationship, key) }
            refuse(reference, because: entry)
            return nil
        }
        if entry.twins == .different {
            refuse(reference, .relationshipAmbiguous, "several \(destination) objects have", key, tracked)
            return nil
        }
        guard schema.entity(Int(entry.entity), isKindOf: relationship.destination) else {
            let found = schema.entities[Int(entry.entity)].name
            refuse(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "\(NaturalKeyBytes.display(key[...])) is an object of \(found), not of \(destination)"))
            return nil
        }
        return Found(entity: entry.entity, key: entry.key, isAmbiguous: entry.twins == .equal)
    }

    mutating func missing(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ tracked: Int?, _ key: [UInt8]
    ) -> Found? {
        let destination = schema.entities[relationship.destination].name
        switch reference.policy {
        case .null: return leaveOut(reference, relationship, key)
        case .create:
            guard let tracked else { break }
            // For a record that is refused anyway nothing is made, and nothing is missing.
            guard !reference.isRejected else { return nil }
            switch maker.make(tracked, key, relationship, keys) {
            case .success(let made): return Found(entity: made.entity, key: made.key)
            case .failure(let problem):
                refuse(
                    reference,
                    diagnostic(
                        reference, .relationshipNotFound,
                        "there is no \(destination) with the key \(NaturalKeyBytes.display(key[...])), and none can be made: "
                            + problem.reason))
                return nil
            }
        case .error: break
        }
        refuse(reference, .relationshipNotFound, "there is no \(destination) with", key, tracked)
        return nil
    }

    /// A reference to nothing that is to be left empty. What is required cannot be.
    mutating func leaveOut(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ key: [UInt8]
    ) -> Found? {
        guard !relationship.isToMany, let violation = relationship.violations(ofCount: 0).first else {
            return .nothing
        }
        let destination = schema.entities[relationship.destination].name
        refuse(
            reference,
            diagnostic(
                reference, .relationshipNotFound,
                "there is no \(destination) with the key \(NaturalKeyBytes.display(key[...])), and \(violation.message)"
            ))
        return nil
    }
}
