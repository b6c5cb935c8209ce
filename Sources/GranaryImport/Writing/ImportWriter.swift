import GranaryBase
import GranaryCoordination
import GranaryModel

/// Writes the result of ``ImportResolution`` and counts the records.
final class ImportWriter {
    let resolved: ResolvedImport
    let problems: ImportProblems
    let rows: RowWriter
    private let schema: Schema
    /// The number of objects that lookups created after reading.
    private var madeAfterReading = 0
    /// For each root entity with new objects, its highest primary key.
    private(set) var lastKeys: [(root: Int, key: Int64)] = []
    private var map: PrimaryKeyMap?
    /// The records of link files that have added a link.
    private var linkRecords: Set<RecordID> = []
    /// The records that are rejected because they refer to objects that the store refused.
    private(set) var rejections: [(record: RecordID, problem: Diagnostic)] = []

    init(_ resolved: ResolvedImport, _ problems: ImportProblems, _ rows: RowWriter) {
        self.resolved = resolved
        self.problems = problems
        self.rows = rows
        schema = resolved.read.schema
    }

    private var read: ReadImport { resolved.read }

    /// The number of objects that lookups created.
    var madeByLookup: Int { rows.counts.made + madeAfterReading }

    /// Whether the store refused a row, or an object cannot be saved.
    private var isIncomplete: Bool { !rows.rejections.isEmpty || !rejections.isEmpty }

    /// Writes the rows that wait, objects for lookups, and links.
    func write(_ run: ImportRunOptions) throws {
        let needed = neededObjects()
        let map = try PrimaryKeyMap(
            read.primaryKeys, before: read.stream.keysBefore ?? read.keysBefore, read.spool, resolved.rejected,
            needed: needed, schema: schema)
        self.map = map
        lastKeys = map.last + resolved.missingKeys.sorted { $0.key < $1.key }.map { (root: $0.key, key: $0.value) }
        try rows.free(resolved.freed)
        var filler = ReferenceFiller(read.references, resolved.references)
        var count = 0
        try read.spool.forEach { batch in
            try run.cancellation?.check()
            count += batch.rows.rows.count
            // The lists come after the rows.
            run.progress?.update(stageShare: 0.6 * Double(count) / Double(max(read.spool.rowCount, 1)))
            var batch = copy batch
            filler.fill(&batch)
            batch.keep { !resolved.rejected.contains($0.place) }
            if !map.isIdentity { renumber(&batch, map) }
            try rows.write(batch)
        }
        guard !isIncomplete else { return }
        try make(needed, map)
        guard !isIncomplete else { return }
        var links = LinkWriter(
            schema: schema, store: rows.store, rows: rows, table: read.references, map: map,
            restores: read.rules.restores,
            isNew: { [read] in read.places[$0] != nil && !read.uses.sharedRows.contains($0) })
        try links.writeNewLists(resolved.references, { problems.add($0) }, files: read.sources.files)
        // Other links are read from the store. A dry run also fails here if the run would.
        try rows.writer.bulk?.finishRows()
        if read.rules.restores { try restorePairings(links) } else { try links.writePairings() }
        try links.writeLists(resolved.references, { problems.add($0) }, files: read.sources.files)
        linkRecords = links.added
        noteAmbiguous()
    }

    /// Adds a warning for each reference whose key several equal objects have.
    private func noteAmbiguous() {
        for one in resolved.references where one.isAmbiguous {
            let reference = read.references.references[Int(one.reference)]
            let destination = schema.entities[read.references.relationship(of: reference).destination].name
            let key = NaturalKeyBytes.display(read.references.key(of: reference)[...])
            var warning = read.diagnostic(
                reference, .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(key); the first is taken")
            warning.severity = .warning
            problems.add(warning)
        }
    }

    private func restorePairings(_ links: LinkWriter) throws {
        func hasEnd(_ relationship: Schema.Relationship, of row: RowID) -> Bool? {
            read.places[row].map { read.sources.hasColumn(for: relationship, file: $0.file) }
        }
        try links.restorePairings(hasEnd) { warning, row in
            var warning = warning
            warning.position = read.places.position(row, files: read.sources.files)
            problems.add(warning)
        }
    }

    private func renumber(_ batch: inout ParsedRows, _ map: PrimaryKeyMap) {
        for row in batch.rows.rows.indices {
            let entity = schema.entities[Int(batch.rows.rows[row].entity)]
            batch.rows.rows[row].key = map.key(entity.root, batch.rows.rows[row].key)
            for relationship in entity.relationships where !relationship.isToMany {
                guard case .reference(let key, let target) = batch.rows[row, relationship.slot] else { continue }
                let root = schema.entities[relationship.destination].root
                batch.rows[row, relationship.slot] = .reference(key: map.key(root, key), entity: target)
            }
        }
    }

    // MARK: Objects for lookups

    /// The objects that lookups create and that accepted references mean, in the order of the references.
    private func neededObjects() -> [RowID] {
        guard !resolved.creator.isEmpty else { return [] }
        var seen: Set<RowID> = []
        return resolved.references.compactMap { one in
            guard one.entity >= 0 else { return nil }
            let target = RowID(root: schema.entities[Int(one.entity)].root, key: one.key)
            return resolved.creator.hasMade(target) && seen.insert(target).inserted ? target : nil
        }
    }

    private func make(_ needed: [RowID], _ map: PrimaryKeyMap) throws {
        var batch = RowBatch()
        for object in needed {
            guard let row = resolved.creator.row(of: object, key: map.key(object.root, object.key)) else {
                continue
            }
            batch.append(0, of: row, slotCount: row.cells.count)
        }
        guard !batch.isEmpty else { return }
        var refused: [RowID: GranaryError] = [:]
        try rows.insert(batch) { index, error in refused[needed[index]] = error }
        for header in batch.rows {
            let entity = schema.entities[Int(header.entity)]
            rows.noteMade(RowID(root: entity.root, key: header.key), entity: entity.index)
        }
        madeAfterReading = needed.count
        guard !refused.isEmpty else { return }
        for one in resolved.references where one.entity >= 0 {
            let target = RowID(root: schema.entities[Int(one.entity)].root, key: one.key)
            guard let error = refused[target] else { continue }
            let reference = read.references.references[Int(one.reference)]
            let key = NaturalKeyBytes.display(read.references.key(of: reference)[...])
            let problem = read.diagnostic(
                reference, .relationshipNotFound,
                "there is no \(schema.entities[Int(one.entity)].name) with the key \(key), and none can be created: "
                    + error.message)
            rejections.append((RecordID(reference.place), problem))
        }
    }

    // MARK: The end

    /// Prunes, and raises the versions of objects whose links changed.
    func finish(_ pruning: Pruning) throws {
        try pruning.run(self)
        if !problems.isRefused { try rows.raiseRelinkedVersions() }
    }

    /// The position of the record that created an object, by the object's final primary key.
    func position(of row: RowID) -> SourcePosition? {
        read.places.position(
            RowID(root: row.root, key: map?.provisional(row.root, row.key) ?? row.key), files: read.sources.files)
    }

    /// The references of accepted records that are left empty because there is no object with their key, by job.
    private func omittedReferences() -> [Int: [OmittedReferences]] {
        var found: [Int: [OmittedReferences]] = [:]
        for (place, count) in read.leftOut {
            found[place.job, default: []].append(
                OmittedReferences(entity: schema.entities[place.entity].name, property: place.property, count: count))
        }
        var counts: [[Int]: Int] = [:]
        for one in resolved.references where one.isLeftOut {
            let reference = read.references.references[Int(one.reference)]
            let job = read.sources.jobOfFile[Int(reference.place.file)]
            counts[[job, Int(reference.entity), Int(reference.relationship)], default: 0] += 1
        }
        for (key, count) in counts {
            found[key[0], default: []].append(
                OmittedReferences(
                    entity: schema.entities[key[1]].name, property: read.references.relationships[key[2]].name,
                    count: count))
        }
        return found
    }

    /// The counts of each job.
    func reports() throws(GranaryError) -> [ImportReport] {
        var reports: [ImportReport] = []
        let omitted = omittedReferences()
        for job in read.sources.jobs {
            var report = ImportReport()
            report.entity = job.entity?.name
            report.read = job.counts.read
            report.rejected = job.rejectedCount
            report.skippedBlankLines = job.counts.skippedBlankLines
            report.isRefused = problems.isRefused
            if problems.isRefused {
                report.skipped = job.counts.read - report.rejected
            } else {
                let counts = rows.counts.byJob[job.number] ?? WrittenCounts.OfJob()
                report.created = counts.created
                report.skipped = job.counts.skipped
                report.nested = counts.nested
                report.updated = counts.updated
                report.unchanged = counts.unchanged + job.counts.repeated
                report.omittedReferences = OmittedReferences.sums(omitted[job.number] ?? [])
                if job.linkRelationship != nil {
                    report.updated = linkRecords.count { read.sources.jobOfFile[Int($0.file)] == job.number }
                    report.unchanged = job.counts.read - report.rejected - report.updated
                }
            }
            let sum = report.created + report.updated + report.unchanged + report.skipped + report.rejected
            guard sum == report.read else {
                throw GranaryError(
                    .internalDefect, "the counts do not add up: \(report.ledger); nothing was imported")
            }
            reports.append(report)
        }
        return reports
    }
}
