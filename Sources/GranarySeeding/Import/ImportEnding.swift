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
    private var links: [Int32: Int] = [:]
    private(set) var madeByLookup = 0
    private(set) var pruned = 0
    private var keysGiven: ImportKeys
    /// Rows that were never written, or are taken out already.
    private var gone: Set<RowID> = []
    private var followedUp = 0
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
            keys: session.context.keys, rejects: LateRejects(groups: session.groups), store: store, maker: maker,
            keysGiven: session.keysGiven, note: { [session] in session.add($0) })
        noteStoreRefusals(in: &resolver)
        try resolver.resolve()
        var early = EarlyReferences(schema: schema, store: store, places: session.places, changed: rows.before)
        if session.keepsGood { try resolver.spread(session.places, early: &early) }
        keysGiven = resolver.keysGivenNow
        try followUp(resolver.rejects)
        guard !session.isRefused else { return }
        try setLinks(&resolver, &early)
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
            gone.insert(refusal.row)
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
        for (record, row) in rejects.inOrder.dropFirst(followedUp) {
            let job = session.jobs[session.jobOfFile[Int(record.file)]]
            session.reject(file: record.file, record: record.record, of: job)
            guard let row else { continue }
            let group = rejects.groups.rows(with: row)
            job.nested -= group.count - 1
            if session.places[row] != nil { job.created -= 1 }
        }
        followedUp = rejects.inOrder.count
        guard session.keepsGood, !session.isRefused else { return }
        let leaving = rejects.rows.subtracting(gone).sorted { ($0.root, $0.key) < ($1.root, $1.key) }
        gone.formUnion(leaving)
        for row in leaving where session.places[row] == nil { try putBack(row) }
        try remove(leaving.filter { session.places[$0] != nil })
    }

    private func putBack(_ row: RowID) throws {
        guard try rows.putBack(row) == nil else { return }
        session.addFatal(
            Diagnostic(
                .storeRefused, "p\(row.key) was changed by a record that was refused too late; nothing is imported"))
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

    private func setLinks(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        var needed: Set<RowID> = []
        for one in resolver.resolved where one.entity >= 0 && !one.isDropped {
            let target = RowID(root: schema.entities[Int(one.entity)].root, key: one.key)
            guard maker.hasMade(target) else { continue }
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            if !resolver.rejects.contains(owner) { needed.insert(target) }
        }
        madeByLookup = try maker.insert(needed, through: rows)
        var links = LinkWriter(
            schema: schema, store: store, rows: rows, table: resolver.table, places: session.places)
        try links.write(resolver.resolved, rejects: resolver.rejects, { session.add($0) }, files: fileNames)
        self.links = links.links.mapValues(\.added)
        for refusal in links.refused {
            let reference = refusal.reference
            session.add(
                Diagnostic(
                    .uniqueDuplicate,
                    "with this reference another object has the same values in what must be unique: "
                        + refusal.error.message,
                    at: reference.place.position(files: fileNames), field: resolver.table.field(of: reference),
                    entity: schema.entities[Int(reference.entity)].name,
                    property: resolver.table.relationship(of: reference).name, coreDataCode: 1551))
            resolver.rejects.reject(RecordID(reference.place), row: refusal.owner)
        }
        if session.keepsGood { try resolver.spread(session.places, early: &early) }
        try followUp(resolver.rejects)
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
                    // An object that no row is to blame for.
                    session.addFatal(problem)
                }
            }
            if session.keepsGood { try resolver.spread(session.places, early: &early) }
            try followUp(resolver.rejects)
            guard session.keepsGood, !session.isRefused else { return }
        }
        session.addFatal(Diagnostic(.limitExceeded, "refusing records for their counts does not come to an end"))
    }

    // MARK: Objects that no row has

    /// What pruning would delete, worked out while the indexes know which record speaks of which object.
    private func pruneCandidates() -> [(job: JobState, entity: Schema.Entity, keys: [Int64])] {
        session.jobs.compactMap { job in
            guard job.options.prunes, let entity = job.entity, let identity = job.identity(of: entity) else {
                return nil
            }
            let keys = session.context.keys.tracked[identity].index.unclaimed(entity: entity.index) { $0.record != 0 }
            return (job, entity, keys)
        }
    }

    private func prune(_ candidates: [(job: JobState, entity: Schema.Entity, keys: [Int64])]) throws {
        for (job, entity, keys) in candidates where !keys.isEmpty {
            guard job.rejectedCount == 0 else {
                session.add(
                    Diagnostic(
                        .pruneSkipped,
                        "\(keys.count) objects have no row, and none is pruned: a rejected row may be theirs",
                        severity: .warning, entity: entity.name))
                continue
            }
            var pruner = Pruner(schema: schema, store: store, rows: rows)
            pruner.add(keys, entity: entity)
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
                    for (file, added) in links where session.jobOfFile[Int(file)] == job.number {
                        report.updated += added
                    }
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
