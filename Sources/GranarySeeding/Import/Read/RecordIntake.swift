import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// The reading half of an import: records in, checked rows out. It touches no store, so it runs beside the writing.
///
/// Rows stream to the store as long as no later record can refuse them and none of them waits for a reference. From then on
/// they wait (``CheckedRows/waits``).
///
/// Proof for the unchecked properties: the reading thread alone uses them until it has ended, and ``RowBuilder``,
/// which they are lent to, does not use the intake. The checks at run time cost a tenth of an import.
final class RecordIntake {
    let schema: Schema
    let run: ImportRunOptions
    let jobs: [JobState]
    /// Whether rows keep the keys that `$id` gives them: in a store without objects.
    let keepsIdentifiers: Bool
    @exclusivity(unchecked) var context: RowContext
    private(set) var collector: DiagnosticCollector
    var primaryKeys: PrimaryKeys
    /// All sources of all jobs, and which job each is of.
    private(set) var files: [String] = []
    private(set) var jobOfFile: [Int] = []
    /// What a rejects file needs to know of each source.
    private var rejectsSources: [(hints: ReaderHints, preamble: CSVPreamble?, entity: String?)] = []
    private(set) var digests: [(name: String, digest: String)] = []
    var places = RowPlaces()
    var nestedTwins = NestedTwins()
    @exclusivity(unchecked) var batch = CheckedRows()
    /// Objects that records of several jobs speak of.
    var sharedRows: Set<RowID> = []
    /// Records that are refused if another one is.
    var uses: [Use] = []
    /// Records that were skipped because another record makes their object.
    var skippedUses: Set<RecordID> = []
    /// Where records give objects unique keys that other objects have so far.
    var conflictPlaces: [RecordConflict: (place: RecordPlace, field: String?)] = [:]
    /// Whether records of the source at hand may have objects inside.
    private(set) var nests = false
    private var sourceAtHand: ByteSource?
    /// How many records of the job were read before the source at hand.
    private var readBefore = 0
    /// Whether rows stream to the store.
    private(set) var streams: Bool
    /// The first record whose rows wait; nil as long as they stream.
    private var firstWaiting: RecordID?
    let workers: ChunkWorkers
    /// Encodes rows before they reach the writer.
    var encoder: (any RowEncoder)?
    private let rejectsFile: RejectsFile?
    /// Whether ``keep(_:_:of:isAccepted:)`` keeps records of the source at hand.
    private(set) var keepsRecords = false
    let spool: DiagnosticSpool?
    var hasCheckedMap = false
    /// Whether something is wrong that no row is to blame for: then nothing is kept, whatever the mode.
    private(set) var isFatal = false
    /// The first diagnostics that belong to no row.
    private(set) var endings: [Diagnostic] = []
    private static let endingLimit = 20

    /// How many rows travel together to the writer.
    private static let batchRows = 1000
    private static let batchBytes = 4 << 20

    /// A record that needs another one: it changes the object that the other makes, or is found by a key that it gives.
    struct Use {
        let record: RecordID
        /// The line of `record`.
        let line: Int
        let place: RecordPlace
        let isKey: Bool
    }

    /// - Parameters:
    ///   - lastKeys: for each root entity, the highest primary key allocated before this import.
    ///   - storeMayRefuse: whether the store has rules of its own, by which it may refuse rows.
    init(
        schema: Schema, run: ImportRunOptions, jobs: [JobState], keys: NaturalKeys, lastKeys: [Int: Int64],
        keepsIdentifiers: Bool, storeMayRefuse: Bool, rejectsFile: RejectsFile?
    ) {
        self.schema = schema
        self.run = run
        self.jobs = jobs
        self.keepsIdentifiers = keepsIdentifiers
        self.rejectsFile = rejectsFile
        workers = ChunkWorkers(limit: run.threads)
        primaryKeys = PrimaryKeys(last: lastKeys)
        context = RowContext(schema: schema, keys: keys, keepsGood: run.mode == .keepGood)
        collector = DiagnosticCollector(limit: run.diagnosticLimit)
        spool = run.keepsAllDiagnostics ? DiagnosticSpool() : nil
        // A swap of unique values is written in two steps, and a count is known at the end.
        let hasCounts = schema.entities.contains { $0.relationships.contains { $0.isPersistent && $0.hasCountRule } }
        streams = !keys.mayChangeUnique && !(run.mode == .keepGood && (hasCounts || storeMayRefuse))
    }

    /// From the batch at hand on rows wait until all is read.
    func wait(from record: RecordID) {
        guard streams else { return }
        streams = false
        firstWaiting = record
    }

    /// Whether the rows of a record wait.
    func isWaiting(_ place: RecordPlace) -> Bool {
        guard !streams else { return false }
        return firstWaiting.map { !(RecordID(place) < $0) } ?? true
    }

    var hasErrors: Bool { collector.errorCount > 0 }

    var keepsGood: Bool { run.mode == .keepGood }

    var rejectedCount: Int { jobs.reduce(0) { $0 + $1.rejectedCount } }

    /// Whether nothing of the import will be kept.
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

    func reject(file: Int32, record: Int, of job: JobState) {
        job.rejected[file, default: RejectedRecords()].insert(record)
    }

    /// Whether the records of a source have a column for the relationship.
    func says(_ relationship: Schema.Relationship, file: Int32) -> Bool {
        guard jobOfFile.indices.contains(Int(file)) else { return false }
        return jobs[jobOfFile[Int(file)]].fills(relationship)
    }

    // MARK: Sources

    /// Reads the header of a source and finds out what its columns are for.
    ///
    /// - Returns: false where the header is refused.
    private func prepare(_ reader: any RecordReader, of job: JobState) throws -> Bool {
        context.setFile(reader.sourceName)
        job.beginSource(reader)
        hasCheckedMap = false
        let errorsBefore = collector.errorCount
        try reader.readHeader()
        if let entity = entity(of: reader, job), !reader.columns.isEmpty { try prepare(entity, reader, job) }
        // Problems of the header are said once, not for every row.
        return collector.errorCount == errorsBefore
    }

    /// Sets the entities whose objects the next source and the later ones may create.
    func expect(_ entities: Set<Int>) { context.naturalKeys.expect(entities) }

    /// Reads a source to its end and hands out its rows in batches.
    ///
    /// `emit` takes a full batch and gives an empty one back, whose memory is used again; nil stops the reading.
    func read(
        _ reader: any RecordReader, of job: JobState, nests: Bool, emit: (CheckedRows) throws -> CheckedRows?
    ) throws {
        self.nests = nests
        let file = Int32(files.count)
        files.append(reader.sourceName)
        jobOfFile.append(job.number)
        batch.job = job.number
        let source = reader.abilities?.source
        let digest = SourceDigest(source)
        sourceAtHand = source
        readBefore = job.read
        run.progress?.begin(file: reader.sourceName, byteCount: source?.byteCount)
        do {
            guard try prepare(reader, of: job) else {
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
            // What was read before counts: the source is broken from there on.
            for diagnostic in error.diagnostics { addFatal(diagnostic) }
        }
    }

    private var isBatchFull: Bool {
        batch.rows.rows.count >= Self.batchRows || batch.rows.bytes.count >= Self.batchBytes
    }

    /// What all records of a source are; nil where each record says it.
    private func entity(of reader: any RecordReader, _ job: JobState) -> Schema.Entity? {
        job.entity ?? (reader.entities.count == 1 ? schema.entity(named: reader.entities[0]) : nil)
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

    /// Keeps the bytes of a record that is refused, or may be refused after all is read.
    func keep(_ number: Int, _ raw: UnsafeBufferPointer<UInt8>, of file: Int32, isAccepted: Bool) {
        guard keepsRecords, !isAccepted || !streams else { return }
        rejectsFile?.kept.add(number, raw, of: file)
    }

    private func hints(_ reader: any RecordReader, of job: JobState) -> ReaderHints {
        let entity = entity(of: reader, job)
        let plan = reader.columns.isEmpty ? nil : entity.map { job.builder(for: $0).plan }
        return ReaderHints(
            judge: plan.map(ColumnJudge.init),
            guide: PropertyGuide(schema: schema, options: job.options, entity: entity))
    }

    /// About how many rows the source at hand still has, as far as its size tells.
    private func expectedRows() -> Int {
        // Only where each record is a new object of the same entity.
        guard let source = sourceAtHand, let size = source.byteCount, source.bytesRead > 0,
            jobs[batch.job].entity != nil, jobs[batch.job].options.onConflict == .error
        else { return 0 }
        let rate = Double(jobs[batch.job].read - readBefore) / Double(source.bytesRead)
        return Int(exactly: (rate * Double(max(0, size - source.bytesRead))).rounded()) ?? 0
    }

    /// How regular records become rows; nil where each record is read by itself.
    private func chunkRows(_ reader: any RecordReader, _ job: JobState) -> ChunkRows? {
        guard reader.abilities?.dialect != nil, let entity = entity(of: reader, job), !entity.isAbstract else {
            return nil
        }
        return ChunkRows(job.builder(for: entity), job, context)
    }

    private func handOver(_ emit: (CheckedRows) throws -> CheckedRows?) throws -> Bool {
        let job = batch.job
        guard !batch.isEmpty else {
            // Rows that were taken back leave their bytes.
            batch.removeAll()
            return true
        }
        batch.waits = !streams
        batch.expectedRows = expectedRows()
        var rest: CheckedRows?
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

    // MARK: Columns and entities of records

    /// JSON and property lists meet members as they go; those of a document's other entities never.
    func meetColumns(
        of record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, _ builder: RowBuilder,
        _ reader: any RecordReader, isRecord: Bool
    ) throws {
        if builder.plan.metCount < reader.columns.count {
            builder.plan.extend(to: reader.columns)
            var cursor = Record.Cursor()
            for index in fields.indices where builder.plan.isUnmet(fields[index].column) {
                let position = record.position(of: fields[index], file: reader.sourceName, &cursor)
                // What is wrong with a member is said of every record that has it.
                _ = try meet(Int(fields[index].column), of: builder, reader, at: position)
            }
        }
        if isRecord, !builder.hasConstants {
            try builder.prepareConstants(keys: &context.naturalKeys, mayBeOthers: true)
        }
    }

    func entity(of record: borrowing Record, _ reader: any RecordReader, _ job: JobState) -> Schema.Entity? {
        guard record.entity >= 0, reader.entities.indices.contains(Int(record.entity)) else {
            if job.entity == nil {
                add(
                    Diagnostic(
                        .entityUnknown, "the source does not say of which entity its records are; say --entity",
                        at: record.position(ofRaw: 0, file: reader.sourceName)))
            }
            return job.entity
        }
        let name = reader.entities[Int(record.entity)]
        let position = record.position(ofRaw: 0, file: reader.sourceName)
        if let entity = job.entity, let found = schema.entity(named: name), !entity.family.contains(found.index) {
            add(
                Diagnostic(
                    .entityUnknown, "the source says \(name), and \(entity.name) was asked for (--entity)",
                    at: position, entity: name))
            return nil
        }
        guard let found = schema.entity(named: name) else {
            let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
            add(Diagnostic(.entityUnknown, "the model has no entity \"\(name)\"\(hint)", at: position))
            return nil
        }
        guard !found.isAbstract else {
            add(
                Diagnostic(.entityAbstract, "an abstract entity has no objects of its own", at: position, entity: name))
            return nil
        }
        return found
    }
}
