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
    let jobs: [ResolvedJob]
    /// Whether rows get the primary key of their `$id`, which is so in a store without objects.
    let keepsIdentifiers: Bool
    /// Whether an export is restored as it is (``ImportOptions/restoresAsIs``).
    let restores: Bool
    /// Whether the export that is restored can be a part (``ImportOptions/restoresParts``).
    let restoresParts: Bool
    @exclusivity(unchecked) var context: RecordState
    private(set) var collector: DiagnosticCollector
    var primaryKeys: PrimaryKeys
    /// The names of all sources.
    private(set) var files: [String] = []
    /// The number of each source's job.
    private(set) var jobOfFile: [Int] = []
    /// The data of each source for the rejects file.
    private var rejectsSources: [(hints: ReaderHints, preamble: CSVPreamble?, entity: String?)] = []
    private(set) var digests: [(name: String, digest: String)] = []
    var places = RowPlaces()
    var nestedObjects = NestedObjectIndex()
    @exclusivity(unchecked) var batch = ParsedRows()
    /// Objects that records of several jobs name.
    var sharedRows: Set<RowID> = []
    /// Records that depend on another record.
    var uses: [Use] = []
    /// Records that were skipped because another record creates their object.
    var skippedUses: Set<RecordID> = []
    /// Records that count as unchanged because they equal another record.
    var repeatedUses: Set<RecordID> = []
    /// The places of records that set a unique key which another object has.
    var conflictPlaces: [RecordConflict: (place: RecordLocation, field: String?)] = [:]
    /// Whether records of the current source can contain objects.
    private(set) var nests = false
    private var currentSource: ByteSource?
    /// The number of records of the job read before the current source.
    private var readBefore = 0
    /// Whether rows stream to the store.
    private(set) var streams: Bool
    /// The primary keys before the first record that waits; nil if all records wait or none does.
    private(set) var keysBeforeWaiting: PrimaryKeys?
    /// The first record whose rows wait; nil while rows stream.
    private var firstWaiting: RecordID?
    let workers: OrderedWorkers<ParseTask>
    /// The entities whose rows are saved as managed objects.
    private let objectEntities: Set<Int>
    /// Encodes rows before they reach the writer.
    var encoder: (any RowEncoder)?
    private let rejectsFile: RejectsFile?
    /// Whether ``keep(_:_:of:isAccepted:)`` keeps records of the current source.
    private(set) var keepsRecords = false
    let spool: DiagnosticSpool?
    var hasCheckedMap = false
    /// The references of the current row of a chunk.
    @exclusivity(unchecked) var knownReferences = KnownReferences()
    /// The objects that lookups create while records are read.
    var made: MadeObjects
    /// The number of references that are left out because there is no object with their key.
    var leftOut: [LeftOutPlace: Int] = [:]
    /// Whether references to objects outside the records were resolved while reading.
    var hasResolvedReferences = false
    /// The column of the current source that names the entity of each record.
    var entityColumn = EntityColumn()
    /// Whether there is an error that belongs to no row. Nothing is then imported in either mode.
    private(set) var isFatal = false
    /// The first diagnostics that belong to no row.
    private(set) var endings: [Diagnostic] = []
    private static let endingLimit = 20

    /// The number of rows in a full batch.
    private static let batchRows = 1000
    /// The number of links in a full batch.
    private static let batchLinks = 1 << 17
    /// The number of bytes in a full batch.
    private static let batchBytes = 4 << 20

    /// A record that depends on another one: it changes an object that the other creates, finds its object by a key
    /// that the other sets, or equals the other.
    struct Use {
        /// The other record.
        let record: RecordID
        /// The line of `record`.
        let line: Int
        /// The place of the dependent record.
        let place: RecordLocation
        let reason: Reason

        /// The other record creates the object, sets the natural key, or equals the dependent record.
        enum Reason: Int { case object, key, equal }
    }

    /// - Parameters:
    ///   - lastKeys: for each root entity, the highest primary key allocated before this import.
    ///   - storeMayRefuse: whether the store has constraints that the model does not have.
    init(
        schema: Schema, run: ImportRunOptions, jobs: [ResolvedJob], keys: KeyIndexes, lastKeys: [Int: Int64],
        keepsIdentifiers: Bool, storeMayRefuse: Bool, rejectsFile: RejectsFile?
    ) {
        self.schema = schema
        self.run = run
        self.jobs = jobs
        self.keepsIdentifiers = keepsIdentifiers
        restores = jobs.contains(where: \.options.restoresAsIs)
        restoresParts = jobs.contains(where: \.options.restoresParts)
        self.rejectsFile = rejectsFile
        workers = OrderedWorkers(limit: run.threads)
        objectEntities = run.objectEntities
        primaryKeys = PrimaryKeys(last: lastKeys)
        made = MadeObjects(schema: schema, objectEntities: objectEntities, primaryKeys: primaryKeys)
        context = RecordState(schema: schema, keys: keys, keepsGood: run.mode == .keepGood)
        collector = DiagnosticCollector(limit: run.diagnosticLimit)
        spool = run.keepsAllDiagnostics ? DiagnosticSpool() : nil
        // Exchanged unique values are written in two steps, and counts are known only after all records are read.
        let hasCounts = schema.entities.contains { $0.relationships.contains { $0.isPersistent && $0.hasCountRule } }
        let mayRefuse = storeMayRefuse || !run.objectEntities.isEmpty
        streams = !keys.mayChangeUnique && !(run.mode == .keepGood && (hasCounts || mayRefuse))
    }

    /// Lets the rows of a record and of all later ones wait.
    func wait(from record: RecordID) {
        guard streams else { return }
        streams = false
        var keys = primaryKeys
        keys.rewindRecord()
        keysBeforeWaiting = keys
        firstWaiting = record
    }

    /// Whether the rows of a record wait.
    func isWaiting(_ place: RecordLocation) -> Bool {
        guard !streams else { return false }
        return firstWaiting.map { !(RecordID(place) < $0) } ?? true
    }

    var hasErrors: Bool { collector.errorCount > 0 }

    var keepsGood: Bool { run.mode == .keepGood }

    var rejectedCount: Int { jobs.reduce(0) { $0 + $1.rejectedCount } }

    /// Whether nothing will be imported.
    var isRefused: Bool {
        if isFatal { return true }
        guard keepsGood else { return hasErrors }
        return run.maximumRejects.map { rejectedCount > $0 } ?? false
    }

    func add(_ diagnostic: Diagnostic) {
        collector.add(diagnostic)
        spool?.add(diagnostic)
        rejectsFile?.note(diagnostic)
    }

    func addFatal(_ diagnostic: Diagnostic) {
        add(diagnostic)
        guard diagnostic.severity == .error else { return }
        isFatal = true
        if endings.count < Self.endingLimit { endings.append(diagnostic) }
    }

    func reject(file: Int32, record: Int, of job: ResolvedJob) {
        job.rejected[file, default: RejectedRecords()].insert(record)
    }

    /// Whether the records of a source have a column for the relationship.
    func hasColumn(for relationship: Schema.Relationship, file: Int32) -> Bool {
        guard jobOfFile.indices.contains(Int(file)) else { return false }
        return jobs[jobOfFile[Int(file)]].fills(relationship)
    }

    // MARK: Sources

    /// Reads the header of a source and resolves its columns.
    ///
    /// - Returns: false if the header has errors.
    private func prepare(
        _ reader: any RecordReader, of job: ResolvedJob, _ sidecar: ImportSidecar?
    ) throws -> Bool {
        context.setFile(reader.sourceName)
        context.mergesEqualRows = job.mergesEqualRows
        context.edgeSpaces.job = restores ? nil : job.number
        job.beginSource(reader, sidecar)
        hasCheckedMap = false
        entityColumn = EntityColumn(job.options)
        let errorsBefore = collector.errorCount
        try reader.readHeader()
        if entityColumn.index(in: reader.columns) != nil {
            prepareCombined(reader, job)
        } else if let entity = entity(of: reader, job), !reader.columns.isEmpty {
            try prepare(entity, reader, job)
        }
        // Problems of the header are reported once, not for each row.
        return collector.errorCount == errorsBefore
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
        self.nests = nests
        let file = Int32(files.count)
        files.append(reader.sourceName)
        jobOfFile.append(job.number)
        batch.job = job.number
        let source = reader.abilities?.source
        let digest = SourceDigest(source)
        currentSource = source
        readBefore = job.read
        run.progress?.begin(file: reader.sourceName, byteCount: source?.byteCount)
        do {
            guard try prepare(reader, of: job, sidecar) else {
                isFatal = true
                return
            }
            let hints = hints(reader, of: job)
            reader.abilities?.take(hints)
            let preamble = try rejectsFile == nil ? nil : reader.abilities?.preamble()
            rejectsSources.append((hints, preamble, (reader as? any WrappingReader)?.entities.first))
            keepsRecords = preamble != nil
            var record = Record()
            let first = job.read
            var chunks = chunkRows(reader, job).map { Chunks($0, file: file, name: reader.sourceName) }
            func full() throws -> Bool { try isBatchFull ? handOver(emit) : true }
            reading: while !(run.cancellation?.isCancelled ?? false) {
                if chunks != nil {
                    let goesOn = try takeChunks(&chunks, reader, of: job, &record) {
                        run.progress?.update(rows: job.read - first, bytes: source?.bytesRead ?? 0)
                        return try full()
                    }
                    guard goesOn else { return }
                }
                switch try reader.next(into: &record) {
                case .end: break reading
                case .malformed(let diagnostic):
                    job.read += 1
                    reject(file: file, record: record.number, of: job)
                    add(diagnostic)
                    record.raw.withUnsafeBufferPointer { keep(record.number, $0, of: file, isAccepted: false) }
                case .record:
                    job.read += 1
                    try take(record, reader, of: job, file: file)
                    guard try full() else { return }
                }
                if (job.read - first) % Self.batchRows == 0 {
                    run.progress?.update(rows: job.read - first, bytes: source?.bytesRead ?? 0)
                }
            }
            checkMap(reader.columns, of: job, at: headerStart(reader))
            job.noteColumns(of: reader)
            run.progress?.update(rows: job.read - first, bytes: source?.bytesRead ?? 0)
            digests.append((reader.sourceName, digest.finish()))
            _ = try handOver(emit)
        } catch let error as GranaryError where error.code == .refused && !error.diagnostics.isEmpty {
            // The records read before the error keep their counts.
            for diagnostic in error.diagnostics { addFatal(diagnostic) }
        }
    }

    private var isBatchFull: Bool {
        batch.rows.rows.count >= Self.batchRows || batch.rows.bytes.count >= Self.batchBytes
            || batch.links.count >= Self.batchLinks
    }

    /// The entity of all records of a source; nil if each record names its entity.
    private func entity(of reader: any RecordReader, _ job: ResolvedJob) -> Schema.Entity? {
        // The columns of JSON and property lists are found while records are read.
        if entityColumn.isKnown { return nil }
        return job.entity ?? (reader.entities.count == 1 ? schema.entity(named: reader.entities[0]) : nil)
    }

    /// The rejected records of a source, for the rejects file.
    func rejected(
        _ records: RejectedRecords, of file: Int32, _ source: ImportSource, _ job: ImportJob
    ) -> RejectsFile.Rejected {
        var rejected = RejectsFile.Rejected(source: source, job: job, records: records)
        guard rejectsSources.indices.contains(Int(file)) else { return rejected }
        (rejected.hints, rejected.preamble, rejected.entity) = rejectsSources[Int(file)]
        return rejected
    }

    /// Keeps the bytes of a record that is rejected or can still be rejected.
    func keep(_ number: Int, _ raw: UnsafeBufferPointer<UInt8>, of file: Int32, isAccepted: Bool) {
        guard keepsRecords, !isAccepted || !streams else { return }
        rejectsFile?.kept.add(number, raw, of: file)
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
        guard let source = currentSource, let size = source.byteCount, source.bytesRead > 0,
            jobs[batch.job].entity != nil, jobs[batch.job].options.onConflict == .error
        else { return 0 }
        let rate = Double(jobs[batch.job].read - readBefore) / Double(source.bytesRead)
        return Int(exactly: (rate * Double(max(0, size - source.bytesRead))).rounded()) ?? 0
    }

    /// Whether rows of an entity are saved as managed objects. Such rows have a mask of the properties that the record
    /// sets.
    func goesThroughObjects(_ entity: Schema.Entity) -> Bool { objectEntities.contains(entity.index) }

    /// The parser of regular records; nil if each record must be read separately.
    private func chunkRows(_ reader: any RecordReader, _ job: ResolvedJob) -> ChunkParser? {
        guard reader.abilities?.dialect != nil, let entity = entity(of: reader, job), !entity.isAbstract,
            !goesThroughObjects(entity)
        else {
            return nil
        }
        return ChunkParser(rowParser(entity, of: job), job, context) { [self] relationship in
            resolvesReferences && resolvesAtOnce(relationship, of: entity.index)
        }
    }

    /// Passes on the batch; false if reading is stopped.
    private func handOver(_ emit: (ParsedRows) throws -> ParsedRows?) throws -> Bool {
        let job = batch.job
        guard !batch.isEmpty else {
            // Removed rows leave their bytes in the batch.
            batch.removeAll()
            return true
        }
        batch.waits = !streams
        batch.expectedRows = expectedRows()
        var rest: ParsedRows?
        if let firstWaiting, let first = batch.origins.first?.record, first < firstWaiting {
            rest = batch.split(at: firstWaiting)
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
    func warnOfSpaces() { for warning in context.edgeSpaces.warnings { add(warning) } }

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
            rowParser.plan.extend(to: reader.columns)
            var cursor = Record.Cursor()
            for index in fields.indices where rowParser.plan.isUnresolved(fields[index].column) {
                let position = record.position(of: fields[index], file: reader.sourceName, &cursor)
                // A problem of a member is reported for each record that has it.
                _ = try resolve(Int(fields[index].column), of: rowParser, reader, at: position)
            }
        }
        if isRecord, !rowParser.hasConstants {
            try rowParser.prepareConstants(keys: &context.keyIndexes, mayBeOthers: true)
        }
    }
}
