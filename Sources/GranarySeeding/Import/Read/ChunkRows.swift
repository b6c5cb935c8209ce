import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// Makes rows of regular CSV records, column by column, without a ``Record``. If it cannot decide that a record is valid, it
/// leaves the record to ``RecordIntake/take(_:_:of:file:)``.
struct ChunkRows {
    private enum Column {
        case ignored
        /// An index into ``ChunkRows/plain``.
        case plain(Int)
        /// A to-one that is looked up by a text.
        case reference(slot: Int, destination: Int, tracked: Int, isOptional: Bool)
        /// An attribute that ``FieldParser`` reads.
        case other(Int)
    }

    let entity: Schema.Entity
    let builder: RowBuilder
    private var columns: [Column] = []
    private var plain: [PlainColumn] = []
    /// Attributes without a column, with their default values.
    private var absent: [(slot: Int, cell: StoredCell)] = []
    private var key: [UInt8] = []

    /// Nil for a source whose records may be anything else than new objects of one entity.
    init?(_ builder: RowBuilder, _ job: JobState, _ context: RowContext) {
        entity = builder.plan.entity
        self.builder = builder
        guard job.identity(of: entity) == nil, !job.hasIdentity, job.linkRelationship == nil,
            job.options.constants.isEmpty, !job.options.nullIsDefault
        else { return nil }
        var filled: Set<Int> = []
        for role in builder.plan.roles {
            switch role {
            case .ignored: columns.append(.ignored)
            case .attribute(let index):
                let parser = builder.plan.attributes[index]
                filled.insert(parser.attribute.slot)
                if let column = PlainColumn(parser) {
                    columns.append(.plain(plain.count))
                    plain.append(column)
                } else {
                    columns.append(.other(index))
                }
            case .reference(let index):
                guard let column = Self.reference(builder.plan.references[index], context) else { return nil }
                filled.insert(builder.plan.references[index].relationship.slot)
                columns.append(column)
            case .unmet, .refused, .identifier: return nil
            }
        }
        guard fillAbsent(filled) else { return nil }
    }

    private static func reference(_ plan: ColumnPlan.ReferencePlan, _ context: RowContext) -> Column? {
        let relationship = plan.relationship
        guard !relationship.isToMany, let tracked = plan.tracked, plan.keys.count == 1, let key = plan.keys.first,
            key.isPlain, key.type == .string, context.bindsEarly(plan.policy),
            !context.references.isOneToOne(relationship, context.schema), context.naturalKeys.isSettled(tracked)
        else { return nil }
        return .reference(
            slot: relationship.slot, destination: relationship.destination, tracked: tracked,
            isOptional: relationship.violations(ofCount: 0).isEmpty)
    }

    /// Collects default values; false if a record without these columns may be invalid.
    private mutating func fillAbsent(_ filled: Set<Int>) -> Bool {
        for absence in builder.defaults where !filled.contains(absence.attribute.slot) {
            guard let value = absence.value else {
                guard absence.attribute.validator.allowsNull else { return false }
                continue
            }
            var scratch = RowBatch()
            let cell = value.withBorrowed { value -> StoredCell? in
                guard absence.attribute.validator.violations(of: value).isEmpty else { return nil }
                return scratch.cell(for: value)
            }
            // A text would have to be copied for each row.
            guard let cell, scratch.bytes.isEmpty else { return false }
            absent.append((absence.attribute.slot, cell))
        }
        return entity.relationships.allSatisfy { relationship in
            filled.contains(relationship.slot) || !relationship.isPersistent || relationship.isToMany
                || relationship.violations(ofCount: 0).isEmpty
        }
    }

    /// Fills the last row of a batch from a record; false if it cannot decide that the record is valid.
    mutating func fill(_ record: Int, of chunk: CSVChunk, into batch: inout RowBatch, _ context: inout RowContext)
        -> Bool
    {
        guard let header = batch.rows.last else { return false }
        let first = header.firstCell
        var start = chunk.start(of: record)
        var index = record &* chunk.width
        for column in columns.indices {
            let field = chunk.field(index, from: start)
            let text = UnsafeBufferPointer(rebasing: chunk.bytes[field.start..<field.end])
            // Doubled quotes are left to the reader.
            if field.isQuoted, text.contains(chunk.quote) { return false }
            switch columns[column] {
            case .ignored: break
            case .plain(let index):
                guard let cell = plain[index].read(text, isQuoted: field.isQuoted, into: &batch.bytes) else {
                    return false
                }
                batch.cells[first &+ plain[index].slot] = cell
            case .reference(let slot, let destination, let tracked, let isOptional):
                if text.isEmpty, !field.isQuoted {
                    guard isOptional else { return false }
                    break
                }
                key.removeAll(keepingCapacity: true)
                NaturalKeyBytes.append(text: text, to: &key)
                guard let entry = context.naturalKeys.tracked[tracked].index.find(key), entry.twins == .none,
                    !entry.isRejected, context.schema.entity(Int(entry.entity), isKindOf: destination)
                else { return false }
                batch.cells[first &+ slot] = .reference(entity: entry.entity, key: entry.key)
            case .other(let index):
                let kind: Record.Kind = field.isQuoted ? .quoted : .text
                let place = Record.Field(
                    kind: kind, column: Int32(truncatingIfNeeded: column), start: 0, end: 0, rawStart: 0)
                guard builder.fill(index, place, text, row: batch.rows.count - 1, &batch).isEmpty else { return false }
            }
            start = Int(chunk.ends[index]) &+ 1
            index &+= 1
        }
        for (slot, cell) in absent { batch.cells[first &+ slot] = cell }
        return true
    }
}

extension RecordIntake {
    /// Takes the records of a chunk, in order.
    ///
    /// - Parameter full: takes a full batch; false stops the reading.
    /// - Returns: false if `full` has.
    func take(
        _ chunk: CSVChunk, _ rows: inout ChunkRows, _ reader: any RecordReader, of job: JobState, file: Int32,
        _ record: inout Record, full: () throws -> Bool
    ) throws -> Bool {
        let entity = rows.entity
        var line = chunk.firstLine
        for index in 0..<chunk.recordCount {
            let start = chunk.start(of: index)
            let place = RecordPlace(
                file: file, line: line, column: 1, byteOffset: chunk.byteOffset + start,
                record: chunk.firstRecord + index)
            job.read += 1
            if try !add(index, of: chunk, &rows, entity, at: place) {
                chunk.copy(index, line: line, into: &record)
                try take(record, reader, of: job, file: file)
            }
            line += 1 + chunk.lineEndsInside(index)
            guard try full() else { return false }
        }
        return true
    }

    /// Adds the row of a new object; false, with nothing added, if it cannot decide that the record is valid.
    private func add(
        _ index: Int, of chunk: CSVChunk, _ rows: inout ChunkRows, _ entity: Schema.Entity, at place: RecordPlace
    ) throws -> Bool {
        let byteCount = batch.rows.bytes.count
        primaryKeys.beginRecord()
        guard let key = primaryKeys.next(root: entity.root) else { return false }
        let row = batch.rows.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        guard rows.fill(index, of: chunk, into: &batch.rows, &context),
            context.naturalKeys.addUnique(row: row, of: batch.rows, at: place)
        else {
            batch.rows.removeLastRow()
            batch.rows.bytes.removeSubrange(byteCount...)
            primaryKeys.rewindRecord()
            return false
        }
        batch.origins.append(CheckedRows.Origin(place: place, isRecord: true))
        places.note(
            RowID(root: entity.root, key: key), file: place.file, line: place.line, record: place.record)
        return true
    }
}
