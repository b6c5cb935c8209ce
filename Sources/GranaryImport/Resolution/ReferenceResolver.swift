import GranaryBase
import GranaryCoordination
import GranaryModel

/// Finds the objects that references mean, after all rows are read. It rejects records whose reference has no object,
/// several possible objects, or an object that another owner has.
struct ReferenceResolver {
    /// A reference whose two ends are known.
    struct Resolved {
        /// An index into the table's references.
        let reference: Int32
        let ownerEntity: Int32
        let owner: Int64
        /// The entity of the object that the reference means; -1 for an empty list or NULL.
        var entity: Int32
        var key: Int64
        /// Whether the reference does not count, because its record or the object's record was rejected.
        var isDropped = false
        /// Whether several equal objects have the key. The reference means the first of them.
        var isAmbiguous = false
        /// Whether the reference is left empty because there is no object with its key.
        var isLeftOut = false
    }

    let read: ReadImport
    let schema: Schema
    let table: ReferenceTable
    let keys: KeyIndexes
    /// The records that were rejected before this round.
    let rejected: RejectedRecordSet
    var resolved: [Resolved] = []
    var holders: LinkOwners
    var creator: MissingObjectCreator
    /// For each root entity, the highest primary key in stored references to missing objects.
    var missingKeys: [Int: Int64] = [:]
    /// Receives each problem and the record to reject; nil for a record that was rejected while it was read.
    let report: (RecordID?, Diagnostic) -> Void
    /// The number of natural keys that may still be compared for hints.
    var comparisonsLeft: Int

    /// The maximum number of comparisons. To make a hint, a key that no object has is compared with thousands of other
    /// keys. Therefore only the first such keys of a run get a hint.
    static let comparisonLimit = 1_000_000

    init(
        _ read: ReadImport, keys: KeyIndexes, rejected: RejectedRecordSet, toOnes: SpooledToOnes,
        store: any StoreBackend, comparisonsLeft: Int, report: @escaping (RecordID?, Diagnostic) -> Void
    ) {
        self.read = read
        self.keys = keys
        self.rejected = rejected
        self.report = report
        self.comparisonsLeft = comparisonsLeft
        schema = read.schema
        table = read.references
        creator = MissingObjectCreator(schema: schema, primaryKeys: read.primaryKeys)
        holders = LinkOwners(schema: schema, store: store, toOnes: toOnes)
    }

    var files: [String] { read.sources.files }
    /// Whether records that refer to rejected ones must be rejected too.
    var keepsGood: Bool { read.rules.keepsGood }
    /// Whether references to missing objects are stored.
    var restores: Bool { read.rules.restores }

    func root(_ entity: Int32) -> Int { schema.entities[Int(entity)].root }

    /// Finds the objects of all references.
    ///
    /// - Parameter withRejected: whether to report problems of references whose records were rejected while they were
    ///   read.
    mutating func resolve(withRejected: Bool) throws {
        for index in table.references.indices {
            let reference = table.references[index]
            if rejected.contains(reference.place) || reference.isRejected && !withRejected { continue }
            // Its problems were reported with the record.
            if reference.isRejected, read.rules.rejectedBefore[RecordID(reference.place)] != nil { continue }
            let relationship = table.relationship(of: reference)
            guard let owner = findOwner(of: reference, relationship) else { continue }
            guard let found = try find(reference, relationship) else { continue }
            resolved.append(
                Resolved(
                    reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: found.entity,
                    key: found.key, isAmbiguous: found.isAmbiguous, isLeftOut: found.isLeftOut))
        }
    }

    /// Whether the reference's record was rejected, while it was read or later.
    func isRejected(_ reference: ReferenceTable.Reference) -> Bool {
        reference.isRejected || rejected.contains(reference.place)
    }

    /// Whether the record of an index entry was rejected.
    func isRejected(_ entry: NaturalKeyIndex.Entry) -> Bool {
        entry.isRejected || rejected.isGone(RowID(root: root(entry.entity), key: entry.key))
    }

    /// The object that a reference means.
    struct Found {
        /// -1 if the reference is left empty.
        let entity: Int32
        let key: Int64
        var isAmbiguous = false
        var isLeftOut = false

        static let nothing = Found(entity: -1, key: 0)
    }

    /// Returns the owner of a reference. The owner of a link is found by its key.
    mutating func findOwner(
        of reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) -> (entity: Int32, key: Int64)? {
        guard reference.isLink else { return (reference.entity, reference.owner) }
        let key = table.ownerKey(of: reference)
        let indexNumber = Int(reference.ownerIndexNumber)
        let found = keys.all[indexNumber].index.find(key)
        let name = schema.entities[Int(reference.entity)].name
        guard let entry = found, entry.sharing != .different else {
            let isAmbiguous = found != nil
            reject(
                reference, isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound,
                isAmbiguous ? "several \(name) objects have" : "there is no \(name) with", key, indexNumber,
                property: nil)
            return nil
        }
        if isRejected(entry), keepsGood {
            reject(reference, because: entry)
            return nil
        }
        return (entry.entity, entry.key)
    }

    /// Returns the object that a reference means; nil if the record was rejected.
    mutating func find(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) throws -> Found? {
        let indexNumber: Int?
        switch reference.target {
        case .nothing: return .nothing
        case .object(let entity, let key): return Found(entity: entity, key: key)
        case .identifier: indexNumber = nil
        case .key(let number), .keyOrIdentifier(let number, _): indexNumber = Int(number)
        }
        let key = table.key(of: reference)
        var found = indexNumber.map { keys.all[$0].index.find(key) } ?? table.identifiers.find(key)
        // A created object exists only for references with the policy `create`.
        if found?.isMade == true, reference.policy != .create { found = nil }
        // An export has keys or identifiers, and only its references tell which.
        let mayBeIdentifier =
            if case .keyOrIdentifier = reference.target { true } else { restores && indexNumber != nil }
        if mayBeIdentifier, let named = table.identifiers.find(table.identifier(of: reference)) {
            if let keyed = found, keyed.entity != named.entity || keyed.key != named.key {
                rejectAmbiguousForm(reference, keyed, named)
                return nil
            }
            found = named
        }
        guard let entry = found else { return missing(reference, relationship, indexNumber, key) }
        let destination = schema.entities[relationship.destination].name
        if isRejected(entry) {
            guard keepsGood else { return Found(entity: entry.entity, key: entry.key) }
            if reference.policy == .null { return leaveOut(reference, relationship, key, indexNumber) }
            reject(reference, because: entry)
            return nil
        }
        if entry.sharing == .different {
            reject(reference, .relationshipAmbiguous, "several \(destination) objects have", key, indexNumber)
            return nil
        }
        guard schema.entity(Int(entry.entity), isKindOf: relationship.destination) else {
            let found = schema.entities[Int(entry.entity)].name
            reject(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "\(display(key, indexNumber)) is an object of \(found), not of \(destination)"))
            return nil
        }
        return Found(entity: entry.entity, key: entry.key, isAmbiguous: entry.sharing == .equal)
    }

    /// Handles a reference to a missing object by its policy.
    mutating func missing(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ indexNumber: Int?, _ key: [UInt8]
    ) -> Found? {
        if restores, let kept = keep(reference, relationship, key) { return kept }
        if read.rules.restoresParts, let made = makeUnchecked(reference, relationship, indexNumber, key) { return made }
        let destination = schema.entities[relationship.destination].name
        switch reference.policy {
        // Nested keys create objects, and those would have no key of their own.
        case .create where restores: break
        case .null: return leaveOut(reference, relationship, key, indexNumber)
        case .create:
            guard let indexNumber else { break }
            // The record is rejected already, so no object is created for it.
            guard !reference.isRejected else { return nil }
            switch creator.make(indexNumber, key, relationship, keys) {
            case .success(let made): return Found(entity: made.entity, key: made.key)
            case .failure(let problem):
                reject(
                    reference,
                    diagnostic(
                        reference, .relationshipNotFound,
                        "there is no \(destination) with the key \(display(key, indexNumber)), and none can be "
                            + "created: " + problem.reason))
                return nil
            }
        case .error: break
        }
        reject(reference, .relationshipNotFound, "there is no \(destination) with", key, indexNumber)
        return nil
    }

    /// Leaves a reference to a missing object empty, or rejects the record if the relationship is required.
    mutating func leaveOut(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ key: [UInt8],
        _ indexNumber: Int?
    ) -> Found? {
        guard !relationship.isToMany, let violation = relationship.violations(ofCount: 0).first else {
            return Found(entity: -1, key: 0, isLeftOut: true)
        }
        let destination = schema.entities[relationship.destination].name
        reject(
            reference,
            diagnostic(
                reference, .relationshipNotFound,
                "there is no \(destination) with the key \(display(key, indexNumber)), and \(violation.message)"
            ))
        return nil
    }
}
