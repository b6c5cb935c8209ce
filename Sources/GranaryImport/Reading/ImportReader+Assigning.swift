import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Assignment of the rows of tasks: their primary keys, natural keys and references, in the order of the source.
extension ImportReader {
    /// Takes the records of a task.
    ///
    /// - Parameter record: memory for one record.
    func assignKeys(
        _ task: ParseTask, _ chunks: Chunks, _ reader: any RecordReader, of job: ResolvedJob, _ record: inout Record
    ) throws {
        job.counts.entities.insert(chunks.parser.entity.index)
        try task.withRecords { records in
            var rows = KeyedRows()
            var row = 0
            var problem = 0
            var malformed = task.malformed[...]
            var next = 0
            var spaced = task.spaced[...]
            while next < task.verdicts.count {
                let assigned = assignKeysToRun(of: task, from: next, row: row, records, chunks, &rows)
                if assigned > 0 {
                    noteSpaces(&spaced, next..<next + assigned, records, chunks, &record)
                    next += assigned
                    row += assigned
                    job.counts.read += assigned
                    continue
                }
                let index = next
                next += 1
                job.counts.read += 1
                switch task.verdicts[index] {
                case .row:
                    let place = records.location(of: index, file: chunks.file)
                    row += 1
                    if task.digests.indices.contains(row - 1),
                        let first = job.firstEqual(task.digests[row - 1], at: place)
                    {
                        rows.move(to: row - 1, task, &batch)
                        rows.skip(to: row)
                        keep(index, of: records, at: place, isAccepted: take(first, again: place, of: job))
                        noteSpaces(&spaced, index..<next, records, chunks, &record)
                        continue
                    }
                    // A nested object of an earlier record can have made references uncertain.
                    let outcome =
                        chunks.columns.generation == known.generation && rules.rejectedBefore[RecordID(place)] == nil
                        ? assign(row - 1, of: task, chunks.parser, at: place, job) : nil
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
                        keep(index, of: records, at: place, isAccepted: true)
                        noteSpaces(&spaced, index..<next, records, chunks, &record)
                        continue
                    }
                case .rejected,
                    .unexplained where !chunks.parser.rowParser.searchesHelp:
                    for diagnostic in task.problems[problem] { problems.add(diagnostic) }
                    problem += 1
                    reject(index, of: records, chunks, job)
                    continue
                case .malformed:
                    if let found = malformed.popFirst() { problems.add(found.problem) }
                    reject(index, of: records, chunks, job, isMalformed: true)
                    continue
                case .unexplained:
                    problem += 1
                    rows.move(to: row, task, &batch)
                case .undecided: rows.move(to: row, task, &batch)
                }
                records.copy(index, into: &record)
                current.columnCount = task.columnCount(of: index)
                defer { current.columnCount = nil }
                // Records of chunks have no entity, so it is set as in ``EntityReader``.
                if chunks.areRegular, reader.entities.count == 1 { record.entity = 0 }
                try take(record, reader, of: job, file: chunks.file)
            }
            rows.finish(task, &batch)
        }
        known.made.move(to: &batch)
    }

    /// Rejects a record whose problems were reported.
    private func reject(
        _ index: Int, of records: TaskRecords, _ chunks: Chunks, _ job: ResolvedJob, isMalformed: Bool = false
    ) {
        let place = records.location(of: index, file: chunks.file)
        problems.reject(file: chunks.file, record: place.record, of: job)
        keep(index, of: records, at: place, isAccepted: false, isMalformed: isMalformed)
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
        _ spaced: inout ArraySlice<(record: Int, field: Int)>, _ assigned: Range<Int>, _ records: TaskRecords,
        _ chunks: Chunks, _ record: inout Record
    ) {
        while let next = spaced.first, next.record < assigned.upperBound {
            spaced.removeFirst()
            guard assigned.contains(next.record) else { continue }
            records.copy(next.record, into: &record)
            guard record.fields.indices.contains(next.field) else { continue }
            context.noteSpaces(in: record.fields[next.field], of: record, chunks.parser.rowParser.plan)
        }
    }

    /// Gives primary keys to consecutive rows of a task, up to the first record that has no valid row or whose unique
    /// key is taken.
    ///
    /// - Returns: the number of assigned records.
    private func assignKeysToRun(
        of task: ParseTask, from first: Int, row: Int, _ records: TaskRecords, _ chunks: Chunks, _ rows: inout KeyedRows
    ) -> Int {
        let entity = chunks.parser.entity
        // Without ordered references, nothing depends on nested objects of earlier records.
        guard chunks.parser.ordered.isEmpty, chunks.parser.matching == nil, task.digests.isEmpty, records.areLines,
            !keepsAccepted, rules.rejectedBefore.isEmpty
        else { return 0 }
        var possible = 0
        while first + possible < task.verdicts.count, task.verdicts[first + possible] == .row { possible += 1 }
        guard possible > 0, let key = primaryKeys.first(of: possible, root: entity.root) else { return 0 }
        let hasNaturalKeys = !context.keyIndexes.byEntity[entity.index].isEmpty
        let start = records.location(of: first, file: chunks.file)
        var count = 0
        while count < possible {
            let place = records.location(of: first + count, file: chunks.file)
            task.rows.rows[row + count].key = key + Int64(count)
            if hasNaturalKeys, !context.keyIndexes.addUnique(row: row + count, of: task.rows, at: place) { break }
            rows.origins.append(ParsedRows.Origin(place: place, isRecord: true))
            count += 1
        }
        primaryKeys.take(count, root: entity.root)
        places.note(
            RowID(root: entity.root, key: key), file: chunks.file, line: start.line, record: start.record, count: count)
        return count
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
        if known.references.hasFound { known.hasResolved = true }
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
        let (start, count): (UInt32, UInt32)
        var policy = reference.policy
        switch task.rows[row, reference.slot] {
        case .text(let place, let length): (start, count) = (place, length)
        case .blob(let place, let length):
            (start, count) = (place, length)
            // A nested object is created if it does not exist.
            policy = .create
        default: return true
        }
        var cell: StoredCell? = .null
        task.rows.lend(start, count) { text in
            guard reference.relationship.isToMany else {
                cell = find(text, reference, policy, at: place)
                return
            }
            var first = 0
            while cell != nil, first <= text.count {
                var end = first
                while end < text.count, text[end] != parser.listSeparator { end &+= 1 }
                let member = find(UnsafeBufferPointer(rebasing: text[first..<end]), reference, policy, at: place)
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
        _ text: UnsafeBufferPointer<UInt8>, _ reference: ChunkParser.Reference, _ policy: ImportOptions.MissingPolicy,
        at place: RecordLocation
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
            canBeLeftOut: relationship.isToMany || reference.isOptional, policy, at: place)
        if found != nil { known.references.noteFound() }
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
