import GranaryBase
import GranaryCoordination
import GranaryModel

/// Decides which records are accepted and resolves their references, after all records are read. It reads the store and
/// the spooled rows, and changes neither.
///
/// A rejection can change the meaning of other records: records that refer to the rejected one are rejected too, and
/// links that it would have removed stay. The resolution therefore works in rounds on the records accepted so far,
/// until a round rejects no record. The result equals an import of only the accepted records.
final class ImportResolution {
    let reader: ImportReader
    let store: any StoreBackend
    let spool: RowSpool
    let schema: Schema
    let keys: ReadKeys
    private(set) var rejected: RejectedRecordSet
    /// The references resolved in the last round.
    var resolver: ReferenceResolver
    /// Stored objects whose unique values other objects take over.
    var freed: [FreedKey] = []

    /// The maximum number of rounds.
    private static let roundLimit = 1000
    /// The number of rounds that can leave a conflict to the next one.
    private static let deferringRounds = 16

    /// The state of the natural-key indexes after all records are read, before any index is rebuilt.
    struct ReadKeys {
        let recordsByObject: RecordsByObject
        /// The indexes of natural keys that records change.
        let stale: [Int]
        /// The keys of rejected records, by index.
        let rejectedKeys: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]]

        init(_ keys: KeyIndexes) {
            recordsByObject = RecordsByObject(keys)
            stale = keys.stale
            var rejectedKeys: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]] = [:]
            for index in stale { rejectedKeys[index] = keys.all[index].index.rejectedEntries }
            self.rejectedKeys = rejectedKeys
        }
    }

    /// - Parameters:
    ///   - rejected: the records that were rejected and reported in an earlier resolution; nil for the first one.
    ///   - rejectedInWriting: the records that were rejected when their rows were written.
    init(
        _ reader: ImportReader, _ keys: ReadKeys, spool: RowSpool, store: any StoreBackend,
        rejected: RejectedRecordSet?, rejectedInWriting: [(record: RecordID, problem: Diagnostic)]
    ) throws {
        self.reader = reader
        self.keys = keys
        self.spool = spool
        self.store = store
        schema = reader.schema
        isFirst = rejected == nil
        self.rejected = rejected ?? RejectedRecordSet(places: reader.places)
        let toOnes = try SpooledToOnes(of: [], spool, self.rejected, schema: schema)
        resolver = ReferenceResolver(
            reader, rejected: self.rejected, recordsByObject: keys.recordsByObject, toOnes: toOnes, store: store,
            comparisonsLeft: 0
        ) { _, _ in }
        for (record, problem) in rejectedInWriting { reject(record, problem) }
    }

    var recordsByObject: RecordsByObject { keys.recordsByObject }
    /// Whether no round has reported problems yet.
    private var isFirst: Bool
    /// The number of natural keys that may still be compared for hints.
    private var comparisonsLeft = ReferenceResolver.comparisonLimit

    func run() throws {
        try rejectDependents()
        for number in 0..<Self.roundLimit {
            guard try round(number) else { return }
        }
        reader.addFatal(
            Diagnostic(.limitExceeded, "records are still rejected after \(Self.roundLimit) rounds"))
    }

    /// - Returns: whether another round is needed.
    private func round(_ number: Int) throws -> Bool {
        let count = rejected.count
        if !reader.isRefused { try refreshKeys() }
        if rejected.count > count {
            try rejectDependents()
            if reader.keepsGood, !reader.isRefused { return true }
            // The references of records that were rejected while they were read are not reported yet.
            guard isFirst else { return false }
        }
        let toOnes = try SpooledToOnes(of: claimedToOnes(), spool, rejected, schema: schema)
        resolver = ReferenceResolver(
            reader, rejected: rejected, recordsByObject: recordsByObject, toOnes: toOnes, store: store,
            comparisonsLeft: comparisonsLeft
        ) { [unowned self] record, problem in
            if let record { reject(record, problem) } else { reader.add(problem) }
        }
        try resolver.resolve(withRejected: isFirst)
        isFirst = false
        comparisonsLeft = resolver.comparisonsLeft
        try rejectDependents()
        // Claims and changed natural keys can depend on records that were rejected in this round.
        let dependsOnRecords = resolver.claimsObjects || !keys.stale.isEmpty
        if reader.keepsGood, !reader.isRefused, rejected.count > count, dependsOnRecords { return true }
        try resolver.claim(defers: number < Self.deferringRounds)
        try rejectDependents()
        guard !reader.isRefused else { return false }
        if rejected.count > count, dependsOnRecords { return true }
        let countBeforeChecks = rejected.count
        for check in [checkUniqueReferences, checkLists, checkPartners, checkCounts] {
            try check(toOnes)
            guard rejected.count == countBeforeChecks, !reader.isRefused else {
                try rejectDependents()
                return reader.keepsGood && !reader.isRefused
            }
        }
        return false
    }

    /// Rejects a record. Its rows and references no longer count.
    func reject(_ record: RecordID, _ problem: Diagnostic) {
        reader.add(problem)
        guard rejected.insert(record) else { return }
        let job = reader.jobs[reader.jobOfFile[Int(record.file)]]
        if reader.skippedUses.contains(record) { job.skipped -= 1 }
        if reader.repeatedUses.contains(record) { job.repeated -= 1 }
        reader.reject(file: record.file, record: record.record, of: job)
    }

    /// Whether the record and the owner of a reference are accepted.
    func counts(_ one: ReferenceResolver.Resolved) -> Bool {
        guard !one.isDropped else { return false }
        let reference = resolver.table.references[Int(one.reference)]
        return !reference.isRejected && !rejected.contains(reference.place)
            && !rejected.isGone(RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner))
    }

    /// The to-one relationships that determine owners of objects.
    private func claimedToOnes() -> [Schema.Relationship] {
        var found: [LinkOwners.Relation: Schema.Relationship] = [:]
        for relationship in reader.context.references.relationships {
            guard let inverse = schema.inverse(of: relationship), !inverse.isToMany else { continue }
            found[LinkOwners.Relation(inverse)] = inverse
            if !relationship.isToMany { found[LinkOwners.Relation(relationship)] = relationship }
        }
        for relationship in schema.entities.flatMap(\.relationships) where schema.mayOrphan(relationship) {
            found[LinkOwners.Relation(relationship)] = relationship
        }
        return Array(found.values)
    }

    /// Adds a warning for each reference whose key several equal objects have.
    func noteAmbiguous() {
        for one in resolver.resolved where one.isAmbiguous && counts(one) {
            let reference = resolver.table.references[Int(one.reference)]
            let destination = schema.entities[resolver.table.relationship(of: reference).destination].name
            let key = NaturalKeyBytes.display(resolver.table.key(of: reference)[...])
            var warning = resolver.diagnostic(
                reference, .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(key); the first is taken")
            warning.severity = .warning
            reader.add(warning)
        }
    }

    // MARK: Dependents of rejected records

    /// Rejects all records that depend on a rejected record, directly or indirectly.
    private func rejectDependents() throws {
        guard reader.keepsGood, rejected.isOpen else { return }
        let dependents = try Dependents(
            resolver.resolved, resolver.table, spool, places: reader.places, uses: reader.uses,
            schema: schema)
        while let record = rejected.next() {
            for (_, line, need) in dependents.needs(of: record) {
                let place = RecordLocation(file: record.file, line: line, record: record.record)
                switch need {
                case .reference(let index): dropReference(Int(index), place)
                case .row(let index):
                    let row = dependents.rows[Int(index)]
                    guard !rejected.contains(row.place) else { continue }
                    let entity = schema.entities[Int(row.entity)]
                    reject(
                        RecordID(row.place),
                        Diagnostic(
                            .relationshipNotFound,
                            "refers to the record at \(place.describe(reader.files)), which is rejected",
                            at: row.place.position(files: reader.files), entity: entity.name,
                            property: entity.relationships.first { $0.slot == Int(row.slot) }?.name,
                            related: [place.position(files: reader.files)]))
                case .use(let index):
                    let use = dependents.rows[Int(index)]
                    guard !rejected.contains(use.place) else { continue }
                    reject(
                        RecordID(use.place),
                        Diagnostic(
                            .objectGone,
                            Self.words(ImportReader.Use.Reason(rawValue: Int(use.slot)))
                                + " the record at \(place.describe(reader.files)), which is rejected",
                            at: use.place.position(files: reader.files),
                            related: [place.position(files: reader.files)]
                        ))
                }
            }
        }
    }

    private static func words(_ reason: ImportReader.Use.Reason?) -> String {
        switch reason {
        case .object, nil: "the object was created by"
        case .key: "the natural key was changed by"
        case .equal: "equals"
        }
    }

    /// Handles a reference to an object of a rejected record: leaves it empty if its policy allows, or rejects its
    /// record.
    private func dropReference(_ index: Int, _ place: RecordLocation) {
        let one = resolver.resolved[index]
        let reference = resolver.table.references[Int(one.reference)]
        guard !one.isDropped, !reference.isRejected, !rejected.contains(reference.place) else { return }
        let relationship = resolver.table.relationship(of: reference)
        let isOwner = reader.places[RowID(root: resolver.root(one.ownerEntity), key: one.owner)].map {
            RecordID(file: $0.file, record: $0.record) == RecordID(place)
        }
        if reference.policy == .null, !(isOwner ?? false),
            relationship.isToMany || relationship.violations(ofCount: 0).isEmpty
        {
            resolver.resolved[index].entity = -1
            resolver.resolved[index].key = 0
            resolver.resolved[index].isLeftOut = true
            return
        }
        resolver.resolved[index].isDropped = true
        reject(
            RecordID(reference.place),
            resolver.refersToRejected(
                reference, place.position(files: reader.files), place.describe(reader.files)))
    }
}
