import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The reading half of an import: it turns records into checked rows. It does not use the store, so it runs in parallel
/// with writing.
///
/// Rows stream to the store as long as no later record can cause their rejection and no reference waits. After that
/// they wait (``ParsedRows/waits``).
///
/// `@exclusivity(unchecked)` is safe: only the reading thread uses these properties until it ends, and ``RowParser``,
/// which receives them, does not use the reader. The run-time checks would take a tenth of an import.
final class ImportReader {
    let schema: Schema
    let run: ImportRunOptions
    let rules: ImportRules
    let problems: ImportProblems
    private(set) var sources: ImportSources
    /// The source that is read.
    var current = SourceState()
    @exclusivity(unchecked) var context: RecordState
    var primaryKeys: PrimaryKeys
    private(set) var stream: RowStream
    var places = RowPlaces()
    var nestedObjects = NestedObjectIndex()
    var ownedObjects = OwnedObjects()
    /// The lists of nested objects without a key that are reported.
    var keylessLists: Set<LinkOwners.Relation> = []
    var namedObjects: NamedObjectIndex
    var uses = RecordUses()
    @exclusivity(unchecked) var known: KnownObjects
    @exclusivity(unchecked) var batch = ParsedRows()
    var workers: ParseWorkers

    /// The number of rows in a full batch.
    private static let batchRows = 1000
    /// The number of links in a full batch.
    private static let batchLinks = 1 << 17
    /// The number of bytes in a full batch.
    private static let batchBytes = 4 << 20

    /// The threads that parse chunks of records.
    struct ParseWorkers {
        let threads: OrderedWorkers<ParseTask>
        /// Encodes rows before they reach the writer.
        var encoder: (any RowEncoder)?
    }

    /// - Parameters:
    ///   - lastKeys: for each root entity, the highest primary key allocated before this import.
    ///   - storeMayRefuse: whether the store has constraints that the model does not have.
    init(
        schema: Schema, run: ImportRunOptions, rules: ImportRules, problems: ImportProblems, jobs: [ResolvedJob],
        keys: KeyIndexes, lastKeys: [Int: Int64], storeMayRefuse: Bool
    ) {
        self.schema = schema
        self.run = run
        self.rules = rules
        self.problems = problems
        namedObjects = NamedObjectIndex(isKept: rules.keepsNames)
        sources = ImportSources(jobs: jobs)
        workers = ParseWorkers(threads: OrderedWorkers(limit: run.threads))
        primaryKeys = PrimaryKeys(last: lastKeys, skipping: run.skippedKeys)
        known = KnownObjects(
            schema: schema,
            made: MadeObjects(schema: schema, objectEntities: rules.objectEntities, primaryKeys: primaryKeys))
        context = RecordState(schema: schema, keys: keys, keepsGood: rules.keepsGood)
        // Exchanged unique values are written in two steps, and counts are known only after all records are read.
        let hasCounts = schema.entities.contains { $0.relationships.contains { $0.isPersistent && $0.hasCountRule } }
        let mayRefuse = storeMayRefuse || !rules.objectEntities.isEmpty
        stream = RowStream(isOpen: !keys.mayChangeUnique && !(rules.keepsGood && (hasCounts || mayRefuse)))
    }

    /// Lets the rows of a record and of all later ones wait.
    func wait(from record: RecordID) { stream.close(at: record, primaryKeys) }

    // MARK: Sources

    /// Reads the header of a source and resolves its columns.
    ///
    /// - Returns: false if the header has errors.
    private func prepare(
        _ reader: any RecordReader, of job: ResolvedJob, _ sidecar: ImportSidecar?
    ) throws -> Bool {
        context.setFile(reader.sourceName, mergesEqualRows: job.mergesEqualRows)
        context.edgeSpaces.job = rules.restores ? nil : job.number
        job.beginSource(reader, sidecar)
        if let note = sidecar?.note(job.options, source: reader.sourceName) { problems.add(note) }
        if reader.abilities?.nests ?? true, let problem = job.options.pathProblem { throw problem }
        current.entityColumn = EntityColumn(job.options)
        let errorsBefore = problems.collector.errorCount
        try reader.readHeader()
        if current.entityColumn.index(in: reader.columns) != nil {
            prepareCombined(reader, job)
        } else if let entity = entity(of: reader, job), !reader.columns.isEmpty {
            try prepare(entity, reader, job)
        }
        // Problems of the header are reported once, not for each row.
        return problems.collector.errorCount == errorsBefore
    }

    /// Sets the entities whose objects the next and later sources can create.
    func expect(_ entities: Set<Int>) { context.keyIndexes.expect(entities) }

    /// Reads a source to its end.
    ///
    /// - Parameter emit: receives each full batch and returns an empty one to reuse its memory; nil stops reading.
    func read(
        _ reader: any RecordReader, of job: ResolvedJob, nests: Bool, sidecar: ImportSidecar? = nil,
        emit: (ParsedRows) throws -> ParsedRows?
    ) throws {
        let file = sources.begin(reader.sourceName, of: job)
        problems.source = file
        defer { problems.source = nil }
        batch.job = job.number
        let source = reader.abilities?.source
        let digest = SourceDigest(source)
        let later = sources.jobs.dropFirst(job.number + 1).flatMap(\.entities.nested)
        current = SourceState(
            source, nests: nests, readBefore: job.counts.read,
            laterRoots: Set(later.map { schema.entities[$0].root }))
        known.forgetAnswers()
        run.progress?.begin(file: reader.sourceName, byteCount: source?.byteCount)
        do {
            guard try prepare(reader, of: job, sidecar) else {
                problems.refuse()
                return
            }
            if let entity = entity(of: reader, job) { job.counts.entities.insert(entity.index) }
            let hints = hints(reader, of: job)
            reader.abilities?.take(hints)
            sources.add(try rejectsData(of: reader, job, hints))
            var record = Record()
            let first = job.counts.read
            var chunks = chunks(reader, of: job, file: file, after: record)
            func full() throws -> Bool { try isBatchFull ? handOver(emit) : true }
            reading: while !(run.cancellation?.isCancelled ?? false) {
                var after = AfterChunks.next
                if chunks != nil {
                    after = try takeChunks(&chunks, reader, of: job, &record) {
                        run.progress?.update(rows: job.counts.read - first, bytes: source?.bytesRead ?? 0)
                        return try full()
                    }
                }
                switch after {
                case .stopped: return
                case .end: break reading
                case .record:
                    job.counts.read += 1
                    try take(record, reader, of: job, file: file)
                    guard try full() else { return }
                case .next:
                    switch try reader.next(into: &record) {
                    case .end: break reading
                    case .malformed(let diagnostic):
                        job.counts.read += 1
                        problems.reject(file: file, record: record.number, of: job)
                        problems.add(diagnostic)
                        keep(record, of: file, isAccepted: false, isMalformed: true)
                        continue reading
                    case .record:
                        job.counts.read += 1
                        try take(record, reader, of: job, file: file)
                        guard try full() else { return }
                    }
                }
                if chunks == nil { chunks = self.chunks(reader, of: job, file: file, after: record) }
                if (job.counts.read - first) % Self.batchRows == 0 {
                    run.progress?.update(rows: job.counts.read - first, bytes: source?.bytesRead ?? 0)
                }
            }
            checkMap(reader.columns, of: job, at: headerStart(reader))
            checkHasProperties(reader, job)
            job.noteColumns(of: reader)
            run.progress?.update(rows: job.counts.read - first, bytes: source?.bytesRead ?? 0)
            sources.addDigest(digest.finish(), of: reader.sourceName)
            _ = try handOver(emit)
        } catch let error as GranaryError where error.code == .refused && !error.diagnostics.isEmpty {
            // The records read before the error keep their counts.
            for diagnostic in error.diagnostics { problems.addFatal(diagnostic) }
        }
    }

    private var isBatchFull: Bool {
        batch.rows.rows.count >= Self.batchRows || batch.rows.bytes.count >= Self.batchBytes
            || batch.links.count >= Self.batchLinks
    }

    /// The entity of all records of a source; nil if each record names its entity.
    func entity(of reader: any RecordReader, _ job: ResolvedJob) -> Schema.Entity? {
        // The columns of JSON and property lists are found while records are read.
        if current.entityColumn.isKnown { return nil }
        return job.entity ?? (reader.entities.count == 1 ? schema.entity(named: reader.entities[0]) : nil)
    }

    private func hints(_ reader: any RecordReader, of job: ResolvedJob) -> ReaderHints {
        let entity = entity(of: reader, job)
        let plan = reader.columns.isEmpty ? nil : entity.map { job.rowParser(for: $0).plan }
        return ReaderHints(
            judge: plan.map(ColumnTypeCheck.init),
            guide: MemberTypes(schema: schema, options: job.readingOptions, entity: entity ?? job.entity))
    }

    /// The approximate number of rows that follow in the current source, estimated from its size; 0 if unknown.
    private func expectedRows() -> Int {
        // Only if each record is a new object of one entity.
        guard let source = current.source, let size = source.byteCount, source.bytesRead > 0,
            sources.jobs[batch.job].entity != nil, sources.jobs[batch.job].options.onConflict == .error
        else { return 0 }
        let rate = Double(sources.jobs[batch.job].counts.read - current.readBefore) / Double(source.bytesRead)
        return Int(exactly: (rate * Double(max(0, size - source.bytesRead))).rounded()) ?? 0
    }

    /// Whether rows of an entity are saved as managed objects. Such rows have a mask of the properties that the record
    /// sets.
    func goesThroughObjects(_ entity: Schema.Entity) -> Bool { rules.objectEntities.contains(entity.index) }

    /// Passes on the batch; false if reading is stopped.
    private func handOver(_ emit: (ParsedRows) throws -> ParsedRows?) throws -> Bool {
        let job = batch.job
        guard !batch.isEmpty else {
            // Removed rows leave their bytes in the batch.
            batch.removeAll()
            return true
        }
        batch.waits = !stream.isOpen
        batch.expectedRows = expectedRows()
        var rest: ParsedRows?
        if let waiting = stream.firstWaiting, let first = batch.origins.first?.record, first < waiting {
            rest = batch.split(at: waiting)
            batch.waits = false
        }
        guard let next = try emit(batch) else { return false }
        batch = next
        batch.removeAll()
        batch.job = job
        guard let rest else { return true }
        batch = rest
        return try handOver(emit)
    }

    /// Reports the texts of keys that begin or end with spaces, after all records are read.
    func warnOfSpaces() { for warning in context.edgeSpaces.warnings { problems.add(warning) } }

    /// Returns the parser of an entity's rows.
    func rowParser(_ entity: Schema.Entity, of job: ResolvedJob) -> RowParser {
        let rowParser = job.rowParser(for: entity)
        if rowParser.keySlots == nil { rowParser.keySlots = context.keyIndexes.keySlots(of: entity) }
        return rowParser
    }

    // MARK: Columns and entities of records

    /// Resolves the columns of a record in formats whose columns are known only from records. A document can have
    /// columns that only records of other entities have.
    func resolveColumns(
        of record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, _ rowParser: RowParser,
        _ reader: any RecordReader, isRecord: Bool
    ) throws {
        if rowParser.plan.resolvedCount < reader.columns.count {
            rowParser.plan.extend(to: Array(reader.columns.prefix(current.columnCount ?? .max)))
            var cursor = Record.Cursor()
            for index in fields.indices where rowParser.plan.isUnresolved(fields[index].column) {
                let position = record.position(of: fields[index], file: reader.sourceName, &cursor)
                // A problem of a member is reported for each record that has it.
                _ = try resolve(Int(fields[index].column), of: rowParser, reader, at: position)
            }
        }
        if !rowParser.hasConstants, isRecord || !rowParser.options.entityConstants.isEmpty {
            try rowParser.prepareConstants(keys: &context.keyIndexes, mayBeOthers: true)
        }
    }
}
