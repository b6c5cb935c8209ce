import GranaryBase
import GranaryModel
import GranaryPersistence

/// The end of an import, when all records are read and their rows are in the store: references are resolved, records
/// that cannot stay are taken out, links are set, counts are checked, and what no row speaks of is pruned.
final class ImportEnding {
    let session: ImportSession
    let rows: RowWriter
    let store: any PersistentStore
    let schema: Schema
    let maker: LookupMaker
    /// Records of link files that have added a link.
    var linkRecords: Set<RecordID> = []
    /// Whether references are set: from then on a stored object that has changed cannot be put back.
    var hasLinks = false
    var madeByLookup = 0
    var pruned = 0
    var keysGiven: ImportKeys
    /// Stored objects that records speak of.
    var claimed = ClaimedPlaces(nil)
    /// Rows that were never written, or are taken out already.
    var gone: Set<RowID> = []
    var followedUp = 0
    var putBackCount = 0
    /// Changes of stored objects that the store has refused.
    var unwritten: Set<MergeID> = []
    var counted: Set<RowID> = []
    var fileNames: [String] { session.files }

    init(session: ImportSession, rows: RowWriter, store: any PersistentStore) {
        self.session = session
        self.rows = rows
        self.store = store
        schema = store.schema
        maker = LookupMaker(schema: schema)
        keysGiven = session.keysGiven
    }

    /// A loop of counts that break one after the other ends here.
    static let countRounds = 1000

    func run() throws {
        // Before indexes are made anew: they know which record speaks of which object.
        claimed = ClaimedPlaces(session.context.keys)
        let pruning = pruneCandidates()
        if !session.isRefused { try session.context.keys.reload(from: store) }
        var resolver = ReferenceResolver(
            schema: schema, files: fileNames, keepsGood: session.keepsGood, table: session.context.references,
            keys: session.context.keys, rejects: LateRejects(groups: session.groups, places: session.places),
            store: store, changed: rows.before, maker: maker, places: session.places, claimed: claimed,
            keysGiven: session.keysGiven,
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
        if !session.isRefused { try rows.raiseOtherEnds() }
    }

    var lastKeys: [(root: Int, key: Int64)] {
        keysGiven.last.filter { keysGiven.hasGiven(root: $0.key) }.map { ($0.key, $0.value) }.sorted {
            $0.root < $1.root
        }
    }

    // MARK: Records that cannot stay

    func noteStoreRefusals(in resolver: inout ReferenceResolver) {
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

    func recordPlace(_ row: RowID) -> RecordPlace? {
        session.places[row].map {
            RecordPlace(file: $0.file, line: $0.line, column: 1, byteOffset: -1, record: $0.record)
        }
    }

    func problems(of error: GranaryError, entity: Int) -> [Diagnostic] {
        if !error.diagnostics.isEmpty { return error.diagnostics }
        return [Diagnostic(.storeRefused, error.message, entity: schema.entities[entity].name)]
    }

    /// Counts the records that were refused since, and takes their rows out of the store.
    func followUp(_ rejects: LateRejects) throws {
        for record in rejects.inOrder.dropFirst(followedUp) {
            let job = session.jobs[session.jobOfFile[Int(record.file)]]
            session.reject(file: record.file, record: record.record, of: job)
            linkRecords.remove(record)
            job.nested -= (rejects.groups.rows(of: record)?.count ?? 1) - 1
        }
        followedUp = rejects.inOrder.count
        for row in rejects.rows.subtracting(counted) {
            if isRecord(row, rejects) {
                session.jobs[session.jobOfFile[Int(session.places[row]?.file ?? 0)]].created -= 1
            } else {
                session.nestedInserts -= 1
            }
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
    func isRecord(_ row: RowID, _ rejects: LateRejects) -> Bool {
        guard let place = session.places[row] else { return false }
        let group = rejects.groups.rows(of: RecordID(file: place.file, record: place.record))
        return group.map { $0.first == row } ?? true
    }

    /// A stored object that a refused record has changed is as it was.
    func putBack(_ merge: MergeID, isGone: Bool) throws {
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

    func remove(_ leaving: [RowID]) throws {
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
    func unlink(_ row: Int, of stored: borrowing RowBatch) throws {
        let header = stored.rows[row]
        for relationship in schema.entities[Int(header.entity)].relationships where relationship.isPersistent {
            guard let inverse = rows.inverse(of: relationship) else { continue }
            if relationship.isToMany {
                var members: [Int64] = []
                try store.readLinks(of: relationship, owners: [header.key]) { members.append($0.destination) }
                for member in members { rows.otherEnds.note(relationship, member, -1) }
                guard !inverse.isToMany, !members.isEmpty else { continue }
                try rows.writer.setLinks(relationship, owner: header.key, ownerEntity: Int(header.entity), to: [])
            } else if case .reference(_, let other) = stored[row, relationship.slot] {
                rows.otherEnds.note(relationship, other, -1)
                guard !inverse.isToMany else { continue }
                let root = schema.entities[relationship.destination].root
                let end = try store.read(root: root, keys: [other])
                guard !end.isEmpty, case .reference(_, let back) = end[0, inverse.slot], back == header.key else {
                    continue
                }
                try rows.writer.setReference(inverse, owner: other, entity: Int(header.entity), destination: nil)
            }
        }
    }
}
