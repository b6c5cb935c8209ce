import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Decides, when all records are read, which of them stay and what their references mean. It reads the store and the rows
/// that wait, and changes neither.
///
/// A refusal may change what other records mean: who refers to the record is refused too, and what the record was to let go
/// of is held again. So it is decided in rounds, each of them on what the records accepted so far say, until a round refuses
/// nothing. The outcome is that of an import of the accepted records alone.
final class Settlement {
    let intake: RecordIntake
    let store: any PersistentStore
    let spool: RowSpool
    let schema: Schema
    let keys: ReadKeys
    private(set) var refused: RefusedRecords
    /// The references as the last round has resolved them.
    var resolver: ReferenceResolver
    /// Stored objects whose unique values other objects get.
    var freed: [FreedKey] = []

    /// A loop of refusals that follow from one another ends here.
    private static let roundLimit = 1000

    /// The state of the natural-key indexes after all records are read, before any index is rebuilt.
    struct ReadKeys {
        let claimed: ClaimedPlaces
        /// The indexes of natural keys that records change.
        let stale: [Int]
        /// The keys that refused records keep, by index.
        let rejected: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]]

        init(_ keys: NaturalKeys) {
            claimed = ClaimedPlaces(keys)
            stale = keys.stale
            var rejected: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]] = [:]
            for index in stale { rejected[index] = keys.tracked[index].index.rejectedEntries }
            self.rejected = rejected
        }
    }

    /// - Parameters:
    ///   - refused: records that were refused, and reported, before: nil for the first time.
    ///   - storeRefusals: records that the store has refused when they were written.
    init(
        _ intake: RecordIntake, _ keys: ReadKeys, spool: RowSpool, store: any PersistentStore,
        refused: RefusedRecords?, storeRefusals: [(record: RecordID, problem: Diagnostic)]
    ) throws {
        self.intake = intake
        self.keys = keys
        self.spool = spool
        self.store = store
        schema = intake.schema
        isFirst = refused == nil
        self.refused = refused ?? RefusedRecords(places: intake.places)
        let words = try EarlyWords(of: [], spool, self.refused, schema: schema)
        resolver = ReferenceResolver(
            intake, refused: self.refused, claimed: keys.claimed, words: words, store: store, comparisonsLeft: 0
        ) { _, _ in }
        for refusal in storeRefusals { refuse(refusal.record, refusal.problem) }
    }

    /// Stored objects that records speak of.
    var claimed: ClaimedPlaces { keys.claimed }
    /// Whether nothing was reported yet.
    private var isFirst: Bool
    /// The number of natural keys that may still be compared for hints.
    private var comparisonsLeft = ReferenceResolver.comparisonLimit

    func run() throws {
        try spread()
        for _ in 0..<Self.roundLimit {
            guard try round() else { return }
        }
        intake.addFatal(Diagnostic(.limitExceeded, "refusing records for one another does not come to an end"))
    }

    /// - Returns: whether another round is needed.
    private func round() throws -> Bool {
        let count = refused.count
        if !intake.isRefused { try refreshKeys() }
        guard refused.count == count else {
            try spread()
            return intake.keepsGood && !intake.isRefused
        }
        let words = try EarlyWords(of: claimedToOnes(), spool, refused, schema: schema)
        resolver = ReferenceResolver(
            intake, refused: refused, claimed: claimed, words: words, store: store, comparisonsLeft: comparisonsLeft
        ) { [unowned self] record, problem in
            if let record { refuse(record, problem) } else { intake.add(problem) }
        }
        try resolver.resolve(withRejected: isFirst)
        isFirst = false
        comparisonsLeft = resolver.comparisonsLeft
        try spread()
        guard !intake.isRefused else { return false }
        // Without these nothing that was resolved rests on a record that was refused meanwhile.
        if refused.count > count, resolver.holders.hasClaims || !keys.stale.isEmpty { return true }
        let settled = refused.count
        for check in [checkUniqueReferences, checkLists, checkPartners, checkCounts] {
            try check(words)
            guard refused.count == settled, !intake.isRefused else {
                try spread()
                return intake.keepsGood && !intake.isRefused
            }
        }
        return false
    }

    /// Notes that a record is refused; nothing that it says counts any more.
    func refuse(_ record: RecordID, _ problem: Diagnostic) {
        intake.add(problem)
        guard refused.insert(record) else { return }
        let job = intake.jobs[intake.jobOfFile[Int(record.file)]]
        if intake.skippedUses.contains(record) { job.skipped -= 1 }
        intake.reject(file: record.file, record: record.record, of: job)
    }

    /// Whether a reference counts.
    func counts(_ one: ReferenceResolver.Resolved) -> Bool {
        guard !one.isDropped else { return false }
        let reference = resolver.table.references[Int(one.reference)]
        return !reference.isRejected && !refused.contains(reference.place)
            && !refused.isGone(RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner))
    }

    /// The to-ones whose words matter to who holds what.
    private func claimedToOnes() -> [Schema.Relationship] {
        var found: [LinkHolders.Relation: Schema.Relationship] = [:]
        for relationship in intake.context.references.relationships {
            let inverse = schema.inverse(of: relationship)
            if let inverse, !inverse.isToMany { found[LinkHolders.Relation(inverse)] = inverse }
            if !relationship.isToMany, let inverse, !inverse.isToMany {
                found[LinkHolders.Relation(relationship)] = relationship
            }
        }
        for relationship in schema.entities.flatMap(\.relationships) where schema.mayOrphan(relationship) {
            found[LinkHolders.Relation(relationship)] = relationship
        }
        return Array(found.values)
    }

    /// Warns of references whose key several equal objects have.
    func noteAmbiguous() {
        for one in resolver.resolved where one.isAmbiguous && counts(one) {
            let reference = resolver.table.references[Int(one.reference)]
            let destination = schema.entities[resolver.table.relationship(of: reference).destination].name
            let key = NaturalKeyBytes.display(resolver.table.key(of: reference)[...])
            var warning = resolver.diagnostic(
                reference, .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(key); the first is taken")
            warning.severity = .warning
            intake.add(warning)
        }
    }

    // MARK: Records that need refused ones

    /// Refuses every record that needs an object of a refused one, to the last.
    private func spread() throws {
        guard intake.keepsGood, refused.isOpen else { return }
        let dependents = try Dependents(
            resolver.resolved, resolver.table, spool, places: intake.places, uses: intake.uses, schema: schema)
        while let record = refused.next() {
            for (_, line, need) in dependents.needs(of: record) {
                let place = RecordPlace(
                    file: record.file, line: line, column: 1, byteOffset: -1, record: record.record)
                switch need {
                case .reference(let index): leave(Int(index), place)
                case .early(let index):
                    let early = dependents.early[Int(index)]
                    guard !refused.contains(early.place) else { continue }
                    let entity = schema.entities[Int(early.entity)]
                    refuse(
                        RecordID(early.place),
                        Diagnostic(
                            .relationshipNotFound,
                            "refers to the record at \(place.describe(intake.files)), which is rejected",
                            at: early.place.position(files: intake.files), entity: entity.name,
                            property: entity.relationships.first { $0.slot == Int(early.slot) }?.name,
                            related: [place.position(files: intake.files)]))
                case .use(let index):
                    let use = dependents.early[Int(index)]
                    guard !refused.contains(use.place) else { continue }
                    refuse(
                        RecordID(use.place),
                        Diagnostic(
                            .objectGone,
                            (use.slot == 0 ? "the object comes from" : "which object it is depends on")
                                + " the record at \(place.describe(intake.files)), which is rejected",
                            at: use.place.position(files: intake.files), related: [place.position(files: intake.files)]
                        ))
                }
            }
        }
    }

    /// A reference means an object that there will not be.
    private func leave(_ index: Int, _ place: RecordPlace) {
        let one = resolver.resolved[index]
        let reference = resolver.table.references[Int(one.reference)]
        guard !one.isDropped, !reference.isRejected, !refused.contains(reference.place) else { return }
        let relationship = resolver.table.relationship(of: reference)
        let isOwner = intake.places[RowID(root: resolver.root(one.ownerEntity), key: one.owner)].map {
            RecordID(file: $0.file, record: $0.record) == RecordID(place)
        }
        if reference.policy == .null, !(isOwner ?? false),
            relationship.isToMany || relationship.violations(ofCount: 0).isEmpty
        {
            resolver.resolved[index].entity = -1
            resolver.resolved[index].key = 0
            return
        }
        resolver.resolved[index].isDropped = true
        refuse(
            RecordID(reference.place),
            resolver.refersToRefused(reference, place.position(files: intake.files), place.describe(intake.files)))
    }
}
