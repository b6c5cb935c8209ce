import GranaryBase
import GranaryModel
import GranaryPersistence

/// The end of an import, when all records are read and their rows are in the store: references are resolved, records
/// that cannot stay are taken out, links are set, counts are checked, and what no row speaks of is pruned.
final class ImportEnding {
    private let session: ImportSession
    private let rows: RowWriter
    private let store: any PersistentStore
    private let schema: Schema
    private let maker: LookupMaker
    /// Records of link files that have added a link.
    private var linkRecords: Set<RecordID> = []
    /// Whether references are set: from then on a stored object that has changed cannot be put back.
    private var hasLinks = false
    private(set) var madeByLookup = 0
    private(set) var pruned = 0
    private var keysGiven: ImportKeys
    /// Rows that were never written, or are taken out already.
    private var gone: Set<RowID> = []
    private var followedUp = 0
    private var putBackCount = 0
    /// Changes of stored objects that the store has refused.
    private var unwritten: Set<MergeID> = []
    private var counted: Set<RowID> = []
    private var fileNames: [String] { session.files }

    init(session: ImportSession, rows: RowWriter, store: any PersistentStore) {
        self.session = session
        self.rows = rows
        self.store = store
        schema = store.schema
        maker = LookupMaker(schema: schema)
        keysGiven = session.keysGiven
    }

    /// A loop of counts that break one after the other ends here.
    private static let countRounds = 1000

    func run() throws {
        let pruning = pruneCandidates()
        if !session.isRefused { try session.context.keys.reload(from: store) }
        var resolver = ReferenceResolver(
            schema: schema, files: fileNames, keepsGood: session.keepsGood, table: session.context.references,
            keys: session.context.keys, rejects: LateRejects(groups: session.groups, places: session.places),
            store: store, maker: maker, places: session.places, keysGiven: session.keysGiven,
            note: { [session] in session.add($0) })
        noteStoreRefusals(in: &resolver)
        try resolver.resolve()
        var early = EarlyReferences(schema: schema, store: store, places: session.places, changed: rows.before)
        if session.keepsGood {
            repeat {
                try resolver.spread(session.places, rows.before, early: &early)
            } while resolver.refuseReliant()
        }
        keysGiven = resolver.keysGivenNow
        try followUp(resolver.rejects)
        guard !session.isRefused else { return }
        try checkLists(&resolver, &early)
        guard !session.isRefused else { return }
        try setLinks(&resolver, &early)
        guard !session.isRefused else { return }
        try checkOrphans()
        guard !session.isRefused else { return }
        try checkCounts(&resolver, &early)
        guard !session.isRefused else { return }
        try prune(pruning)
    }

    var lastKeys: [(root: Int, key: Int64)] {
        keysGiven.last.filter { keysGiven.hasGiven(root: $0.key) }.map { ($0.key, $0.value) }.sorted {
            $0.root < $1.root
        }
    }

    // MARK: Records that cannot stay

    private func noteStoreRefusals(in resolver: inout ReferenceResolver) {
        for refusal in rows.refused {
            let place = refusal.place ?? recordPlace(refusal.row)
            for problem in problems(of: refusal.error, entity: refusal.entity) {
                var problem = problem
                problem.position = place?.position(files: fileNames)
                session.add(problem)
            }
            if let place = refusal.place {
                unwritten.insert(MergeID(row: refusal.row, record: RecordID(place)))
            } else {
                gone.insert(refusal.row)
            }
            if let place { resolver.rejects.reject(RecordID(place), row: refusal.row) }
        }
    }

    private func recordPlace(_ row: RowID) -> RecordPlace? {
        session.places[row].map {
            RecordPlace(file: $0.file, line: $0.line, column: 1, byteOffset: -1, record: $0.record)
        }
    }

    private func problems(of error: GranaryError, entity: Int) -> [Diagnostic] {
        if !error.diagnostics.isEmpty { return error.diagnostics }
        return [Diagnostic(.storeRefused, error.message, entity: schema.entities[entity].name)]
    }

    /// Counts the records that were refused since, and takes their rows out of the store.
    private func followUp(_ rejects: LateRejects) throws {
        for record in rejects.inOrder.dropFirst(followedUp) {
            let job = session.jobs[session.jobOfFile[Int(record.file)]]
            session.reject(file: record.file, record: record.record, of: job)
            linkRecords.remove(record)
            job.nested -= (rejects.groups.rows(of: record)?.count ?? 1) - 1
        }
        followedUp = rejects.inOrder.count
        for row in rejects.rows.subtracting(counted) where isRecord(row, rejects) {
            session.jobs[session.jobOfFile[Int(session.places[row]?.file ?? 0)]].created -= 1
        }
        counted.formUnion(rejects.rows)
        guard session.keepsGood, !session.isRefused else { return }
        // The last change is taken back first.
        for merge in rejects.merges.dropFirst(putBackCount).reversed() where !unwritten.contains(merge) {
            try putBack(merge, isGone: rejects.contains(merge.row))
        }
        putBackCount = rejects.merges.count
        let leaving = rejects.rows.subtracting(gone).sorted { ($0.root, $0.key) < ($1.root, $1.key) }
        gone.formUnion(leaving)
        try remove(leaving)
    }

    /// Whether the row is a record's own, and not an object nested in it.
    private func isRecord(_ row: RowID, _ rejects: LateRejects) -> Bool {
        guard let place = session.places[row] else { return false }
        let group = rejects.groups.rows(of: RecordID(file: place.file, record: place.record))
        return group.map { $0.first == row } ?? true
    }

    /// A stored object that a refused record has changed is as it was.
    private func putBack(_ merge: MergeID, isGone: Bool) throws {
        do {
            if isGone || !hasLinks, try rows.putBack(merge, isGone: isGone) { return }
        } catch let error as GranaryError where error.code == .refused {
            // What it had that must be unique another row has taken meanwhile.
        }
        let place = rows.before.places(of: merge.row).first { RecordID($0) == merge.record }
        session.addFatal(
            Diagnostic(
                .storeRefused,
                "the record is refused too late to put the object that it changes (p\(merge.row.key)) back as it was; "
                    + "nothing is imported", at: place?.position(files: fileNames)))
    }

    private func remove(_ leaving: [RowID]) throws {
        for (root, group) in Dictionary(grouping: leaving, by: \.root).sorted(by: { $0.key < $1.key }) {
            var rest = group[...]
            while !rest.isEmpty {
                let stored = try store.read(root: root, keys: rest.prefix(RowWriter.lookupRows).map(\.key))
                rest = rest.dropFirst(RowWriter.lookupRows)
                for row in stored.rows.indices { try unlink(row, of: stored) }
                let byEntity = Dictionary(grouping: stored.rows, by: { Int($0.entity) })
                for (entity, headers) in byEntity.sorted(by: { $0.key < $1.key }) {
                    try rows.writer.delete(entity: entity, keys: headers.map(\.key))
                }
            }
        }
    }

    /// Nothing that stays points to a row that goes.
    private func unlink(_ row: Int, of stored: borrowing RowBatch) throws {
        let header = stored.rows[row]
        for relationship in schema.entities[Int(header.entity)].relationships where relationship.isPersistent {
            guard let inverse = rows.inverse(of: relationship), !inverse.isToMany else { continue }
            if relationship.isToMany {
                var members = 0
                try store.readLinks(of: relationship, owners: [header.key]) { _ in members += 1 }
                guard members > 0 else { continue }
                try rows.writer.setLinks(relationship, owner: header.key, ownerEntity: Int(header.entity), to: [])
            } else if case .reference(_, let other) = stored[row, relationship.slot] {
                let root = schema.entities[relationship.destination].root
                let end = try store.read(root: root, keys: [other])
                guard !end.isEmpty, case .reference(_, let back) = end[0, inverse.slot], back == header.key else {
                    continue
                }
                try rows.writer.setReference(inverse, owner: other, entity: Int(header.entity), destination: nil)
            }
        }
    }

    // MARK: Links and counts

    private func checkLists(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        let check = ListCheck(
            schema: schema, store: store, table: resolver.table, places: session.places, files: fileNames)
        // A record that is refused here takes its own words back with it, so what is left is looked at again.
        for _ in 0..<Self.countRounds {
            let problems = try check.problems(resolver.resolved, rejects: resolver.rejects)
            guard !problems.isEmpty else { return }
            for problem in problems {
                session.add(problem.diagnostic)
                resolver.rejects.reject(RecordID(problem.reference.place), row: problem.owner)
            }
            if session.keepsGood {
                repeat {
                    try resolver.spread(session.places, rows.before, early: &early)
                } while resolver.refuseReliant()
            }
            try followUp(resolver.rejects)
            guard session.keepsGood, !session.isRefused else { return }
        }
    }

    private func setLinks(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        var needed: Set<RowID> = []
        for one in resolver.resolved where one.entity >= 0 && !one.isDropped {
            let target = RowID(root: schema.entities[Int(one.entity)].root, key: one.key)
            guard maker.hasMade(target) else { continue }
            let reference = resolver.table.references[Int(one.reference)]
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            if !resolver.rejects.refuses(reference, owner: owner) { needed.insert(target) }
        }
        var unmade: [RowID: String] = [:]
        madeByLookup = try maker.insert(needed, through: rows, refused: &unmade)
        if !unmade.isEmpty {
            resolver.refuseUnmade(unmade)
            if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
            try followUp(resolver.rejects)
            guard !session.isRefused else { return }
        }
        var links = LinkWriter(
            schema: schema, store: store, rows: rows, table: resolver.table, places: session.places,
            shared: session.sharedRows)
        hasLinks = true
        try links.write(resolver.resolved, rejects: resolver.rejects, { session.add($0) }, files: fileNames)
        linkRecords = links.added
        for refusal in links.refused {
            let reference = refusal.reference
            let isTaken = refusal.error.diagnostics.first?.code == .relationshipTaken
            session.add(
                Diagnostic(
                    isTaken ? .relationshipTaken : .uniqueDuplicate,
                    isTaken
                        ? refusal.error.message
                        : "with this reference another object has the same values in what must be unique: "
                            + refusal.error.message,
                    at: reference.place.position(files: fileNames), field: resolver.table.field(of: reference),
                    entity: schema.entities[Int(reference.entity)].name,
                    property: resolver.table.relationship(of: reference).name, coreDataCode: isTaken ? nil : 1551))
            resolver.rejects.reject(RecordID(reference.place), row: refusal.owner)
        }
        if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
        try followUp(resolver.rejects)
    }

    /// One-to-ones that were moved away from objects for which one is required.
    private func checkOrphans() throws {
        for orphan in rows.orphans {
            guard let violation = orphan.relationship.violations(ofCount: 0).first else { continue }
            let entity = schema.entities[orphan.relationship.owner]
            let stored = try store.read(root: entity.root, keys: [orphan.object])
            guard !stored.isEmpty, stored[0, orphan.relationship.slot] == .null else { continue }
            session.addFatal(
                Diagnostic(
                    violation.code,
                    "\(stored.objectName(row: 0, schema)) would be left without one: \(violation.message)",
                    at: orphan.place?.position(files: fileNames), entity: entity.name,
                    property: orphan.relationship.name, coreDataCode: violation.coreDataCode))
        }
    }

    private func checkCounts(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        for _ in 0..<Self.countRounds {
            var found: [(RowID, Diagnostic)] = []
            try CountCheck(schema: schema, store: store).run { row, entity, relationship, violation in
                found.append(
                    (
                        row,
                        Diagnostic(
                            violation.code,
                            "\(schema.objectName(entity: entity.index, key: row.key)): \(violation.message)",
                            at: session.places.position(row, files: fileNames), entity: entity.name,
                            property: relationship.name, coreDataCode: violation.coreDataCode)
                    ))
            }
            guard !found.isEmpty else { return }
            for (row, problem) in found {
                if let place = recordPlace(row) {
                    session.add(problem)
                    resolver.rejects.reject(RecordID(place), row: row)
                } else {
                    // An object that was there before: its record, where it has one, cannot be taken out any more.
                    var problem = problem
                    problem.position = rows.before.places(of: row).last?.position(files: fileNames)
                    session.addFatal(problem)
                }
            }
            if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
            try followUp(resolver.rejects)
            guard session.keepsGood, !session.isRefused else { return }
        }
        session.addFatal(Diagnostic(.limitExceeded, "refusing records for their counts does not come to an end"))
    }

    // MARK: Objects that no row has

    /// What pruning would delete, worked out while the indexes know which record speaks of which object.
    private func pruneCandidates() -> [(entity: Schema.Entity, keys: [Int64])] {
        session.jobs.compactMap { job in
            guard job.options.prunes, let entity = job.entity, let identity = job.identity(of: entity) else {
                return nil
            }
            let keys = session.context.keys.tracked[identity].index.unclaimed(entity: entity.index) { $0.record != 0 }
            return (entity, keys)
        }
    }

    private func prune(_ candidates: [(entity: Schema.Entity, keys: [Int64])]) throws {
        for (entity, keys) in candidates where !keys.isEmpty {
            // A rejected record may be that of an object which would go.
            let mayBeTheirs = session.jobs.contains { job in
                job.rejectedCount > 0 && (job.entity.map { $0.root == entity.root } ?? true)
            }
            guard !mayBeTheirs else {
                session.add(
                    Diagnostic(
                        .pruneSkipped,
                        "objects without a row: \(keys.count); none is pruned, because a rejected record may be theirs",
                        severity: .warning, entity: entity.name))
                continue
            }
            var pruner = Pruner(schema: schema, store: store, rows: rows, session: session)
            pruner.add(keys, entity: entity)
            try pruner.plan()
            announce(pruner)
            try pruner.run()
            for problem in pruner.problems { session.addFatal(problem) }
            if pruner.problems.isEmpty { pruned += pruner.deleted.count }
        }
        guard pruned > 0, !session.isRefused else { return }
        try CountCheck(schema: schema, store: store).run { row, entity, relationship, violation in
            session.addFatal(
                Diagnostic(
                    violation.code,
                    "\(schema.objectName(entity: entity.index, key: row.key)): \(violation.message) after pruning",
                    entity: entity.name, property: relationship.name, coreDataCode: violation.coreDataCode))
        }
    }

    /// The plan comes before the deed.
    private func announce(_ pruner: Pruner) {
        guard let announce = session.run.announce, !session.run.isDryRun, pruner.problems.isEmpty else { return }
        let byEntity = Dictionary(grouping: pruner.deleted, by: \.value).sorted { $0.key < $1.key }
        for (entity, rows) in byEntity where schema.entities.indices.contains(entity) {
            let keys = rows.map(\.key.key).sorted()
            let first = keys.prefix(10).map { "p\($0)" }.joined(separator: ", ")
            announce(
                "prune: \(keys.count) \(schema.entities[entity].name) that no row has: \(first)"
                    + (keys.count > 10 ? ", …" : ""))
        }
    }

    // MARK: The report

    /// What became of the records of each job.
    func reports() throws(GranaryError) -> [ImportReport] {
        var reports: [ImportReport] = []
        for job in session.jobs {
            var report = ImportReport()
            report.entity = job.entity?.name
            report.read = job.read
            report.rejected = job.rejectedCount
            report.isRefused = session.isRefused
            if session.isRefused {
                report.skipped = job.read - report.rejected
            } else {
                report.created = job.created
                report.skipped = job.skipped
                report.nested = job.nested
                report.updated = rows.updated[job.number] ?? 0
                report.unchanged = rows.unchanged[job.number] ?? 0
                if job.linkRelationship != nil {
                    report.updated = linkRecords.count { session.jobOfFile[Int($0.file)] == job.number }
                    report.unchanged = job.read - report.rejected - report.updated
                }
            }
            let sum = report.created + report.updated + report.unchanged + report.skipped + report.rejected
            guard sum == report.read else {
                throw GranaryError(
                    .internalDefect, "the ledger does not add up: \(report.ledger); nothing was imported")
            }
            reports.append(report)
        }
        return reports
    }
}
