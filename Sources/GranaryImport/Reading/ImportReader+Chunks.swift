import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Reading of regular CSV records in chunks. Other threads create the rows; the reading thread assigns them in the
/// order of the source.
extension ImportReader {
    /// The unfinished chunks of one source.
    struct Chunks {
        fileprivate let parser: ChunkParser
        fileprivate var underWay: [ParseTask] = []
        fileprivate var free: [ParseTask] = []
        fileprivate let file: Int32
        fileprivate let name: String

        init(_ parser: ChunkParser, file: Int32, name: String) {
            self.parser = parser
            self.file = file
            self.name = name
        }
    }

    /// Reads the regular records up to the next irregular record or the end of the source.
    ///
    /// - Parameters:
    ///   - record: memory for one record.
    ///   - full: passes on the batch if it is full; false stops reading.
    /// - Returns: false if reading was stopped.
    func takeChunks(
        _ chunks: inout Chunks?, _ reader: any RecordReader, of job: ResolvedJob, _ record: inout Record,
        full: () throws -> Bool
    ) throws -> Bool {
        guard var current = chunks, let abilities = reader.abilities else { return true }
        // Cleared so that the value is not copied when it changes.
        chunks = nil
        defer { chunks = current }
        var failure: GranaryError?
        var isAtEnd = false
        while true {
            while !isAtEnd, current.underWay.count < workers.threads.capacity {
                do throws(GranaryError) {
                    guard let chunk = try abilities.nextChunk() else {
                        isAtEnd = true
                        break
                    }
                    let task =
                        current.free.popLast()
                        ?? ParseTask(
                            current.parser, schema: schema, file: current.file, name: current.name,
                            encoder: workers.encoder)
                    task.begin(chunk)
                    workers.threads.submit(task)
                    current.underWay.append(task)
                } catch {
                    // The records before the error come first.
                    failure = error
                    isAtEnd = true
                }
            }
            guard !current.underWay.isEmpty else { break }
            let task = current.underWay.removeFirst()
            workers.threads.finish(task)
            try assignKeys(task, current, reader, of: job, &record)
            current.free.append(task)
            guard try full(), !(run.cancellation?.isCancelled ?? false) else { return false }
        }
        if let failure { throw failure }
        return true
    }

    private func assignKeys(
        _ task: ParseTask, _ chunks: Chunks, _ reader: any RecordReader, of job: ResolvedJob, _ record: inout Record
    ) throws {
        try task.copy.withChunk { chunk in
            var rows = KeyedRows()
            var row = 0
            var problem = 0
            var next = 0
            var spaced = task.spaced[...]
            while next < task.verdicts.count {
                let assigned = assignKeysToRun(of: task, from: next, row: row, chunk, chunks, &rows)
                if assigned > 0 {
                    noteSpaces(&spaced, of: task, next..<next + assigned, chunk, chunks, &record)
                    next += assigned
                    row += assigned
                    job.counts.read += assigned
                    continue
                }
                let index = next
                next += 1
                let line = task.lines.isEmpty ? chunk.firstLine + index : task.lines[index]
                job.counts.read += 1
                switch task.verdicts[index] {
                case .row:
                    let place = RecordLocation(
                        file: chunks.file, line: line, column: 1, byteOffset: chunk.byteOffset + chunk.start(of: index),
                        record: chunk.firstRecord + index)
                    row += 1
                    if task.digests.indices.contains(row - 1),
                        let first = job.firstEqual(task.digests[row - 1], at: place)
                    {
                        rows.move(to: row - 1, task, &batch)
                        rows.skip(to: row)
                        keep(index, of: chunk, chunks.file, isAccepted: take(first, again: place, of: job))
                        noteSpaces(&spaced, of: task, index..<next, chunk, chunks, &record)
                        continue
                    }
                    let outcome = assign(row - 1, of: task, chunks.parser, at: place, job)
                    if case .row(let merge)? = outcome {
                        let links = known.references.links
                        rows.origins.append(
                            ParsedRows.Origin(
                                place: place, merge: merge, isRecord: true,
                                firstLink: links.isEmpty ? 0 : batch.append(links),
                                linkCount: Int32(truncatingIfNeeded: links.count)))
                    } else {
                        rows.move(to: row - 1, task, &batch)
                        rows.skip(to: row)
                    }
                    if outcome != nil {
                        keep(index, of: chunk, chunks.file, isAccepted: true)
                        noteSpaces(&spaced, of: task, index..<next, chunk, chunks, &record)
                        continue
                    }
                case .rejected,
                    .unexplained where !chunks.parser.rowParser.searchesHelp:
                    for diagnostic in task.problems[problem] { problems.add(diagnostic) }
                    problem += 1
                    problems.reject(file: chunks.file, record: chunk.firstRecord + index, of: job)
                    keep(index, of: chunk, chunks.file, isAccepted: false)
                    continue
                case .unexplained:
                    problem += 1
                    rows.move(to: row, task, &batch)
                case .undecided: rows.move(to: row, task, &batch)
                }
                chunk.copy(index, line: line, into: &record)
                // Records of chunks have no entity, so it is set as in ``EntityReader``.
                if reader.entities.count == 1 { record.entity = 0 }
                try take(record, reader, of: job, file: chunks.file)
            }
            rows.finish(task, &batch)
        }
        known.made.move(to: &batch)
    }

    /// Takes a record that equals the one at `first`; false if it is rejected.
    private func take(_ first: RecordLocation, again place: RecordLocation, of job: ResolvedJob) -> Bool {
        guard let problem = noteRepeat(first, at: place, of: job) else { return true }
        problems.add(problem)
        problems.reject(file: place.file, record: place.record, of: job)
        return false
    }

    /// Counts the keys with leading or trailing spaces in assigned records. For the records that ``take(_:_:of:file:)``
    /// reads, that function counts the keys.
    ///
    /// - Parameter record: memory for one record.
    private func noteSpaces(
        _ spaced: inout ArraySlice<(record: Int, column: Int)>, of task: ParseTask, _ assigned: Range<Int>,
        _ chunk: CSVChunk, _ chunks: Chunks, _ record: inout Record
    ) {
        while let next = spaced.first, next.record < assigned.upperBound {
            spaced.removeFirst()
            guard assigned.contains(next.record) else { continue }
            let line = task.lines.isEmpty ? chunk.firstLine + next.record : task.lines[next.record]
            chunk.copy(next.record, line: line, into: &record)
            guard record.fields.indices.contains(next.column) else { continue }
            context.noteSpaces(in: record.fields[next.column], of: record, chunks.parser.rowParser.plan)
        }
    }

    /// Gives primary keys to consecutive rows of a chunk, up to the first record that has no valid row or whose unique
    /// key is taken.
    ///
    /// - Returns: the number of assigned records.
    private func assignKeysToRun(
        of task: ParseTask, from first: Int, row: Int, _ chunk: CSVChunk, _ chunks: Chunks, _ rows: inout KeyedRows
    ) -> Int {
        let entity = chunks.parser.entity
        guard chunks.parser.ordered.isEmpty, chunks.parser.matching == nil, task.digests.isEmpty, task.lines.isEmpty,
            !current.keepsRecords || stream.isOpen
        else { return 0 }
        var possible = 0
        while first + possible < task.verdicts.count, task.verdicts[first + possible] == .row { possible += 1 }
        guard possible > 0, let key = primaryKeys.first(of: possible, root: entity.root) else { return 0 }
        let hasNaturalKeys = !context.keyIndexes.byEntity[entity.index].isEmpty
        let line = chunk.firstLine + first
        let record = chunk.firstRecord + first
        var count = 0
        while count < possible {
            let place = RecordLocation(
                file: chunks.file, line: line + count, column: 1,
                byteOffset: chunk.byteOffset + chunk.start(of: first + count), record: record + count)
            task.rows.rows[row + count].key = key + Int64(count)
            if hasNaturalKeys, !context.keyIndexes.addUnique(row: row + count, of: task.rows, at: place) { break }
            rows.origins.append(ParsedRows.Origin(place: place, isRecord: true))
            count += 1
        }
        primaryKeys.take(count, root: entity.root)
        places.note(RowID(root: entity.root, key: key), file: chunks.file, line: line, record: record, count: count)
        return count
    }

    private func keep(_ index: Int, of chunk: CSVChunk, _ file: Int32, isAccepted: Bool) {
        let raw = UnsafeBufferPointer(rebasing: chunk.bytes[chunk.raw(of: index)])
        keep(chunk.firstRecord + index, raw, of: file, isAccepted: isAccepted)
    }

    /// What a row of a chunk does.
    private enum Outcome {
        /// It creates an object, or changes one by the merge with this index.
        case row(merge: Int32)
        /// It is skipped, because its object exists.
        case skipped
    }

    /// Finds the object of a row and gives the row its keys and references. Returns nil and undoes all changes if
    /// ``take(_:_:of:file:)`` must read the record.
    private func assign(
        _ row: Int, of task: ParseTask, _ parser: ChunkParser, at place: RecordLocation, _ job: ResolvedJob
    ) -> Outcome? {
        if let matching = parser.matching {
            switch context.keyIndexes.match(matching.indexNumber, row: row, of: task.rows) {
            case .noKey: return nil
            case .none: break
            case .entry(let entry): return merge(row, of: task, parser, matching, entry, at: place, job)
            }
        }
        guard parser.canInsert, assignKeys(row, of: task, parser, at: place, job) else { return nil }
        return .row(merge: -1)
    }

    /// Lets a row change a stored object that no other record names.
    private func merge(
        _ row: Int, of task: ParseTask, _ parser: ChunkParser, _ matching: ChunkParser.Matching, _ index: Int,
        at place: RecordLocation, _ job: ResolvedJob
    ) -> Outcome? {
        let entry = context.keyIndexes.entry(matching.indexNumber, index)
        guard entry.record == 0, !entry.isRejected, entry.sharing == .none, Int(entry.entity) == parser.entity.index
        else { return nil }
        if !matching.skips {
            let madeBefore = known.made.count
            known.references.removeAll()
            // Lists of rows that wait are set after reading, in the order of all records.
            guard stream.isOpen || !matching.hasLists,
                parser.ordered.allSatisfy({ resolve($0, row, of: task, parser, at: place) })
            else {
                known.made.remove(from: madeBefore, &context.keyIndexes)
                return nil
            }
            noteKnownReferences(parser, job)
        }
        context.keyIndexes.claim(matching.indexNumber, index, at: place)
        if matching.skips {
            job.counts.skipped += 1
            return .skipped
        }
        task.rows.rows[row].key = entry.key
        return .row(
            merge: batch.append(
                ParsedRows.Merge(
                    replaces: false, isShared: false, hasLists: matching.hasLists, knowsLists: matching.hasLists,
                    mask: batch.masks.count), matching.filled))
    }

    /// Notes that the references of a row were resolved.
    private func noteKnownReferences(_ parser: ChunkParser, _ job: ResolvedJob) {
        if !parser.ordered.isEmpty { known.hasResolved = true }
        for relationship in known.references.leftOut { noteLeftOut(relationship, entity: parser.entity.index, job) }
    }

    /// Gives a row its primary key, natural keys and references. Returns false and undoes all changes if the record may
    /// be invalid.
    private func assignKeys(
        _ row: Int, of task: ParseTask, _ parser: ChunkParser, at place: RecordLocation, _ job: ResolvedJob
    ) -> Bool {
        let madeBefore = known.made.count
        known.references.removeAll()
        primaryKeys.beginRecord()
        let root = parser.entity.root
        guard parser.ordered.allSatisfy({ resolve($0, row, of: task, parser, at: place) }),
            let key = primaryKeys.next(root: root), setKey(key, of: row, of: task, at: place)
        else {
            primaryKeys.rewindRecord()
            known.made.remove(from: madeBefore, &context.keyIndexes)
            return false
        }
        noteKnownReferences(parser, job)
        places.note(RowID(root: root, key: key), file: place.file, line: place.line, record: place.record)
        return true
    }

    /// Sets the primary key of a row and adds its natural keys; false if another object has one of them.
    private func setKey(_ key: Int64, of row: Int, of task: ParseTask, at place: RecordLocation) -> Bool {
        task.rows.rows[row].key = key
        return context.keyIndexes.addUnique(row: row, of: task.rows, at: place)
    }

    /// Looks up a reference of a row. Returns false if it must wait or may be invalid.
    private func resolve(
        _ reference: ChunkParser.Reference, _ row: Int, of task: ParseTask, _ parser: ChunkParser,
        at place: RecordLocation
    ) -> Bool {
        guard case .text(let start, let count) = task.rows[row, reference.slot] else { return true }
        var cell: StoredCell? = .null
        task.rows.lend(start, count) { text in
            guard reference.relationship.isToMany else {
                cell = find(text, reference, at: place)
                return
            }
            var first = 0
            while cell != nil, first <= text.count {
                var end = first
                while end < text.count, text[end] != parser.listSeparator { end &+= 1 }
                let member = find(UnsafeBufferPointer(rebasing: text[first..<end]), reference, at: place)
                cell = member.flatMap { known.references.add($0, to: reference.relationship) ? .null : nil }
                first = end &+ 1
            }
        }
        guard let cell else { return false }
        task.rows[row, reference.slot] = cell
        return true
    }

    /// Returns the cell of a reference; `.null` if it is left out, and nil if it must wait.
    private func find(
        _ text: UnsafeBufferPointer<UInt8>, _ reference: ChunkParser.Reference, at place: RecordLocation
    ) -> StoredCell? {
        context.key.removeAll(keepingCapacity: true)
        NaturalKeyBytes.append(text: text, to: &context.key)
        guard reference.isKnownAtOnce else {
            return ChunkParser.cell(
                context.keyIndexes.all[reference.indexNumber].index, context.key, reference, schema)
        }
        guard resolvesReferences else { return nil }
        let relationship = reference.relationship
        let found = knownObject(
            reference.indexNumber, context.key, destination: relationship.destination,
            canBeLeftOut: relationship.isToMany || reference.isOptional, reference.policy, at: place)
        switch found {
        case nil: return nil
        case .object(let entity, let key)?: return .reference(key: key, entity: entity)
        case .leftOut?:
            known.references.leaveOut(relationship)
            return .null
        }
    }
}

/// The rows of a chunk that have primary keys and are not in the batch yet.
private struct KeyedRows {
    var origins: [ParsedRows.Origin] = []
    /// The first row that is not in the batch.
    private var first = 0
    /// The start of the chunk's bytes in the batch.
    private var bytesStart: Int?

    /// Appends the rows before `end` to the batch.
    mutating func move(to end: Int, _ task: ParseTask, _ batch: inout ParsedRows) {
        guard first < end else { return }
        let start: Int
        if let bytesStart {
            start = bytesStart
        } else {
            start = batch.rows.bytes.count
            batch.rows.bytes.append(contentsOf: task.rows.bytes)
            bytesStart = start
        }
        batch.rows.append(first..<end, of: task.rows, bytesAt: start)
        batch.origins.append(contentsOf: origins)
        origins.removeAll(keepingCapacity: true)
        first = end
    }

    /// Omits the rows before `end`.
    mutating func skip(to end: Int) { first = end }

    /// Appends the remaining rows. If these are all rows of the batch, the memory is exchanged instead of copied.
    mutating func finish(_ task: ParseTask, _ batch: inout ParsedRows) {
        guard first == 0, batch.rows.isEmpty else { return move(to: task.rows.rows.count, task, &batch) }
        swap(&batch.rows, &task.rows)
        swap(&batch.origins, &origins)
    }
}
