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
    let read: ReadImport
    let problems: ImportProblems
    let store: any StoreBackend
    let schema: Schema
    /// The natural keys that objects have if the records accepted so far are imported.
    var keyIndexes: KeyIndexes
    private(set) var rejected: RejectedRecordSet
    /// The references resolved in the last round.
    var resolver: ReferenceResolver
    /// Stored objects whose unique values other objects take over.
    var freed: [FreedKey] = []

    /// Why records were rejected; empty unless the sources may be read again.
    private var reasons: [RecordID: (problems: [Diagnostic], isDoubtful: Bool)] = [:]
    /// Whether the record whose dependents are rejected now gives them a doubtful reason.
    private var isDoubtful = false

    /// The maximum number of rounds.
    private static let roundLimit = 1000
    /// The number of rounds that can leave a conflict to the next one.
    private static let deferringRounds = 16

    /// - Parameters:
    ///   - rejected: the records that were rejected and reported in an earlier resolution; nil for the first one.
    ///   - rejectedInWriting: the records that were rejected when their rows were written.
    init(
        _ read: ReadImport, _ problems: ImportProblems, store: any StoreBackend, rejected: RejectedRecordSet?,
        rejectedInWriting: [(record: RecordID, problem: Diagnostic)]
    ) throws {
        self.read = read
        self.problems = problems
        self.store = store
        schema = read.schema
        keyIndexes = read.keys.indexes
        isFirst = rejected == nil
        self.rejected = rejected ?? RejectedRecordSet(places: read.places)
        let toOnes = try SpooledToOnes(of: [], read.spool, self.rejected, schema: schema)
        resolver = ReferenceResolver(
            read, keys: keyIndexes, rejected: self.rejected, toOnes: toOnes, store: store, comparisonsLeft: 0
        ) { _, _ in }
        if isFirst { for (record, problem) in read.incomplete { reject(record, problem) } }
        for (record, problem) in rejectedInWriting { reject(record, problem) }
    }

    /// Whether no round has reported problems yet.
    private var isFirst: Bool
    /// The number of natural keys that may still be compared for hints.
    private var comparisonsLeft = ReferenceResolver.comparisonLimit

    func run() throws -> ResolvedImport {
        try rejectDependents()
        var number = 0
        while try round(number) {
            number += 1
            guard number < Self.roundLimit else {
                problems.addFatal(
                    Diagnostic(.limitExceeded, "records are still rejected after \(Self.roundLimit) rounds"))
                break
            }
        }
        problems.checkMaximum()
        return ResolvedImport(
            read: read, rejected: rejected, references: resolver.resolved.filter { counts($0) },
            creator: resolver.creator, missingKeys: resolver.missingKeys, freed: freed)
    }

    /// - Returns: whether another round is needed.
    private func round(_ number: Int) throws -> Bool {
        let count = rejected.count
        if !problems.isRefused { try refreshKeys() }
        if rejected.count > count {
            try rejectDependents()
            if problems.keepsGood, !problems.isRefused { return true }
            // The references of records that were rejected while they were read are not reported yet.
            guard isFirst else { return false }
        }
        let toOnes = try SpooledToOnes(of: claimedToOnes(), read.spool, rejected, schema: schema)
        resolver = ReferenceResolver(
            read, keys: keyIndexes, rejected: rejected, toOnes: toOnes, store: store, comparisonsLeft: comparisonsLeft
        ) { [unowned self] record, problem in
            if let record { reject(record, problem) } else { problems.add(problem) }
        }
        try resolver.resolve(withRejected: isFirst)
        isFirst = false
        comparisonsLeft = resolver.comparisonsLeft
        try rejectDependents()
        // Claims and changed natural keys can depend on records that were rejected in this round.
        let dependsOnRecords = resolver.claimsObjects || !read.keys.stale.isEmpty
        if problems.keepsGood, !problems.isRefused, rejected.count > count, dependsOnRecords { return true }
        try resolver.claim(defers: number < Self.deferringRounds)
        try rejectDependents()
        guard !problems.isRefused else { return false }
        if rejected.count > count, dependsOnRecords { return true }
        let countBeforeChecks = rejected.count
        for check in [checkUniqueReferences, checkLists, checkPartners, checkCounts] {
            try check(toOnes)
            guard rejected.count == countBeforeChecks, !problems.isRefused else {
                try rejectDependents()
                return problems.keepsGood && !problems.isRefused
            }
        }
        return false
    }

    /// Rejects a record. Its rows and references no longer count.
    func reject(_ record: RecordID, _ problem: Diagnostic) {
        problems.add(problem, of: record.file)
        if !read.uses.sharedNested.isEmpty {
            reasons[record, default: ([], isDoubtful)].problems.append(problem)
        }
        guard rejected.insert(record) else { return }
        let job = read.sources.job(of: record)
        if read.uses.skipped.contains(record) { job.counts.skipped -= 1 }
        if read.uses.repeated.contains(record) { job.counts.repeated -= 1 }
        problems.reject(file: record.file, record: record.record, of: job)
    }

    /// The rejected records and their reasons, if a rejected record has nested objects that other records have too: these
    /// must belong to one of the others, which only another reading can decide. Nil if the result is final.
    ///
    /// A record that is rejected only because it needs a nested object of a rejected record is not among them.
    var rejectedForRereading: [RecordID: [Diagnostic]]? {
        guard problems.keepsGood, read.uses.sharedNested.contains(where: { rejected.contains($0) }) else { return nil }
        return reasons.filter { !$0.value.isDoubtful }.mapValues(\.problems)
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
        for relationship in read.references.relationships {
            guard let inverse = schema.inverse(of: relationship), !inverse.isToMany else { continue }
            found[LinkOwners.Relation(inverse)] = inverse
            if !relationship.isToMany { found[LinkOwners.Relation(relationship)] = relationship }
        }
        for relationship in schema.entities.flatMap(\.relationships) where schema.mayOrphan(relationship) {
            found[LinkOwners.Relation(relationship)] = relationship
        }
        return Array(found.values)
    }

    // MARK: Dependents of rejected records

    /// Rejects all records that depend on a rejected record, directly or indirectly.
    private func rejectDependents() throws {
        guard problems.keepsGood, rejected.isOpen else { return }
        let dependents = try Dependents(
            resolver.resolved, resolver.table, read.spool, places: read.places, uses: read.uses.all,
            schema: schema)
        defer { isDoubtful = false }
        while let record = rejected.next() {
            isDoubtful = read.uses.sharedNested.contains(record) || reasons[record]?.isDoubtful ?? false
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
                            "refers to the record at \(place.describe(read.sources.files)), which is rejected",
                            at: row.place.position(files: read.sources.files), entity: entity.name,
                            property: entity.relationships.first { $0.slot == Int(row.slot) }?.name,
                            related: [place.position(files: read.sources.files)]))
                case .use(let index):
                    let use = dependents.rows[Int(index)]
                    guard !rejected.contains(use.place) else { continue }
                    reject(
                        RecordID(use.place),
                        Diagnostic(
                            .objectGone,
                            Self.words(RecordUses.Use.Reason(rawValue: Int(use.slot)))
                                + " the record at \(place.describe(read.sources.files)), which is rejected",
                            at: use.place.position(files: read.sources.files),
                            related: [place.position(files: read.sources.files)]
                        ))
                }
            }
        }
    }

    private static func words(_ reason: RecordUses.Use.Reason?) -> String {
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
        let isOwner = read.places[RowID(root: resolver.root(one.ownerEntity), key: one.owner)].map {
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
                reference, place.position(files: read.sources.files), place.describe(read.sources.files)))
    }
}
