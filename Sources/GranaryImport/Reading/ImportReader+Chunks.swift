import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Reading of records in tasks. Other threads create the rows; the reading thread assigns them
/// (``assignKeys(_:_:_:of:_:)``).
extension ImportReader {
    /// The unfinished tasks of one source.
    struct Chunks {
        let parser: ChunkParser
        /// Whether the tasks have chunks of regular CSV records. Otherwise records are read one by one.
        let areRegular: Bool
        fileprivate var underWay: [ParseTask] = []
        fileprivate var free: [ParseTask] = []
        let file: Int32
        fileprivate let name: String
        /// The columns for which the parser was made.
        let columns: KnownColumns
        /// The number of records whose rows the parser could not create, less twice the number of rows.
        fileprivate var undecided = 0
        /// The number of records of the next task. The first tasks are small, because the columns that they find change
        /// the parser.
        fileprivate var taskRecords = 16

        init(_ parser: ChunkParser, areRegular: Bool, file: Int32, name: String, _ columns: KnownColumns) {
            self.parser = parser
            self.areRegular = areRegular
            self.file = file
            self.name = name
            self.columns = columns
        }

        /// Whether the parser creates the rows of too few records to be of use.
        fileprivate var isUseless: Bool { undecided > ParseTask.fullRecords }

        fileprivate mutating func note(_ verdicts: [ParseTask.Verdict]) {
            for verdict in verdicts { undecided += verdict == .undecided ? 1 : -2 }
            undecided = max(undecided, -ParseTask.fullRecords)
        }
    }

    /// The columns of an entity that are known.
    struct KnownColumns: Equatable {
        let entity: Int
        let count: Int
        let resolved: Int
        /// ``KnownObjects/generation``, because it depends on the nested objects which references are known.
        let generation: Int
    }

    /// What follows the records that tasks have.
    enum AfterChunks {
        /// Reading was stopped.
        case stopped
        /// The source is at its end.
        case end
        /// The next record must be read.
        case next
        /// The next record was read.
        case record
    }

    /// The tasks for the next records; nil if each record must be read separately.
    ///
    /// The columns of CSV are known after the header, those of other formats after the first record.
    func chunks(_ reader: any RecordReader, of job: ResolvedJob, file: Int32, after record: borrowing Record) -> Chunks?
    {
        guard !run.readsRecordByRecord else { return nil }
        let areRegular = reader.abilities?.dialect != nil
        guard let entity = areRegular ? entity(of: reader, job) : blockEntity(record, reader, job), !entity.isAbstract,
            !goesThroughObjects(entity)
        else { return nil }
        let rowParser = rowParser(entity, of: job)
        let columns = KnownColumns(
            entity: entity.index, count: reader.columns.count, resolved: rowParser.plan.resolvedCount,
            generation: known.generation)
        guard current.triedColumns != columns, areRegular || columns.resolved > 0 else { return nil }
        current.triedColumns = columns
        let parser = ChunkParser(rowParser, job, context, isRegular: areRegular) { [self] relationship in
            resolvesReferences && resolvesAtOnce(relationship, of: entity.index)
        }
        guard let parser else { return nil }
        if let matching = parser.matching {
            // Rows that change objects wait if objects can be nested in records.
            if !areRegular, current.nests { return nil }
            if matching.hasLists, current.laterRoots.contains(entity.root) { return nil }
        }
        return Chunks(parser, areRegular: areRegular, file: file, name: reader.sourceName, columns)
    }

    /// The entity of a record and of the next ones in sources whose records need not have all columns.
    private func blockEntity(
        _ record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob
    ) -> Schema.Entity? {
        guard !current.entityColumn.isKnown, current.entityColumn.index(in: reader.columns) == nil, record.number > 0
        else { return nil }
        guard record.entity >= 0 else { return entity(of: reader, job) }
        guard reader.entities.indices.contains(Int(record.entity)),
            let named = schema.entity(named: reader.entities[Int(record.entity)]),
            job.entity.map({ $0.index == named.index }) ?? true
        else { return nil }
        return named
    }

    /// Reads the records up to the next one that must be read separately.
    ///
    /// - Parameters:
    ///   - record: memory for one record.
    ///   - full: passes on the batch if it is full; false stops reading.
    func takeChunks(
        _ chunks: inout Chunks?, _ reader: any RecordReader, of job: ResolvedJob, _ record: inout Record,
        full: () throws -> Bool
    ) throws -> AfterChunks {
        guard var current = chunks else { return .next }
        // Cleared so that the value is not copied when it changes.
        chunks = nil
        // The columns of other formats can be known by now.
        defer { if current.areRegular { chunks = current } }
        var failure: GranaryError?
        var after: AfterChunks?
        let entity = record.entity
        var other = Record()
        while true {
            while after == nil, current.underWay.count < workers.threads.capacity {
                let task = current.free.popLast() ?? newTask(current)
                do throws(GranaryError) {
                    after = try fill(task, current, reader, entity: entity, &other)
                    current.taskRecords = min(current.taskRecords * 2, ParseTask.fullRecords)
                } catch {
                    // The records before the error come first.
                    failure = error
                    after = .next
                }
                guard !task.isEmpty else {
                    current.free.append(task)
                    break
                }
                workers.threads.submit(task)
                current.underWay.append(task)
            }
            guard !current.underWay.isEmpty else { break }
            let task = current.underWay.removeFirst()
            workers.threads.finish(task)
            try assignKeys(task, current, reader, of: job, &record)
            current.note(task.verdicts)
            current.free.append(task)
            guard try full(), !(run.cancellation?.isCancelled ?? false) else { return .stopped }
            if !current.areRegular, isOutdated(current, reader, job) { after = after ?? .next }
        }
        if let failure { throw failure }
        if case .record? = after { record = other }
        return after ?? .next
    }

    /// Whether another parser, or none, must read the next records.
    private func isOutdated(_ chunks: Chunks, _ reader: any RecordReader, _ job: ResolvedJob) -> Bool {
        let plan = rowParser(chunks.parser.entity, of: job).plan
        return chunks.isUseless || chunks.columns.count != reader.columns.count
            || chunks.columns.resolved != plan.resolvedCount || chunks.columns.generation != known.generation
    }

    private func newTask(_ chunks: Chunks) -> ParseTask {
        ParseTask(chunks.parser, schema: schema, file: chunks.file, name: chunks.name, encoder: workers.encoder)
    }

    /// Reads records into a task until it is full.
    ///
    /// - Returns: what follows; nil if more records do.
    private func fill(
        _ task: ParseTask, _ chunks: Chunks, _ reader: any RecordReader, entity: Int32, _ other: inout Record
    ) throws(GranaryError) -> AfterChunks? {
        task.beginRecords(limit: chunks.taskRecords)
        if chunks.areRegular {
            guard let chunk = try reader.abilities?.nextChunk() else { return .next }
            task.begin(chunk)
            return nil
        }
        while !task.isFull {
            switch try task.read(reader, other: &other, entity: entity) {
            case .added: break
            case .end: return .end
            case .otherEntity: return .record
            }
        }
        return nil
    }
}
