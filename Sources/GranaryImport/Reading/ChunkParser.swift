import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// Creates rows from regular CSV records, column by column, without a ``Record``. It reads only data that does not
/// change while records are read, so several threads can use copies of it.
struct ChunkParser {
    private enum Column {
        case ignored
        /// An index into ``ChunkParser/plain``.
        case plain(Int)
        /// A relationship whose objects are looked up by one text attribute.
        case reference(Reference)
        /// An attribute that ``FieldParser`` reads.
        case other(Int)
    }

    struct Reference {
        let relationship: Schema.Relationship
        var slot: Int { relationship.slot }
        /// The index in ``KeyIndexes/all``.
        let indexNumber: Int
        let isOptional: Bool
        let policy: ImportOptions.MissingPolicy
        /// Whether all outcomes of the lookup are known while reading (``ImportReader/resolvesAtOnce(_:of:)``).
        let isKnownAtOnce: Bool
        /// Whether no option sets the lookup, so that the text can be a `$id`, which the reading thread finds.
        let isImplied: Bool
        /// The natural keys, if no later record can change them. If nil, the reading thread looks up the reference
        /// later, and the cell contains the text until then.
        let keys: FinalKeys?
    }

    /// An index of natural keys that no later record changes. Threads share it.
    final class FinalKeys: Sendable {
        let index: NaturalKeyIndex

        init(_ index: NaturalKeyIndex) { self.index = index }
    }

    /// How rows find the stored objects that they change.
    struct Matching {
        /// The number in ``KeyIndexes/all`` of the index that identifies the object of a row.
        let indexNumber: Int
        /// Whether the rows of stored objects are skipped; otherwise they change the objects.
        let skips: Bool
        /// The properties that rows set.
        let filled: SlotMask
        /// Whether rows set lists.
        let hasLists: Bool
    }

    let entity: Schema.Entity
    private(set) var rowParser: RowParser
    /// Nil if all rows are new objects.
    private(set) var matching: Matching?
    /// Whether a row without a stored object is a valid new object, as far as the columns determine it.
    private(set) var canInsert = true
    private let schema: Schema
    /// Whether the fields alone decide whether a record is accepted, so that its problems can be reported here.
    let decidesAll: Bool
    /// References that the reading thread looks up in the order of the records. Until then a cell has the text.
    private(set) var ordered: [Reference] = []
    /// The separator of the elements of lists.
    let listSeparator: UInt8
    /// The columns whose fields may be invalid.
    private(set) var doubtful: [Int] = []
    private var columns: [Column] = []
    private var plain: [PlainColumn] = []
    /// The cells of a row before its record is read: the default values of attributes without a column.
    private(set) var emptyRow: [StoredCell]
    /// For each column, whether its texts are keys.
    private var areKeys: [Bool] = []
    /// The columns of the current record whose texts are keys and begin or end with spaces.
    private(set) var spaced: [Int] = []
    /// The slots of the attributes that have a column, if equal rows are one object.
    private(set) var distinctSlots: [Int]?
    private var key: [UInt8] = []

    /// Returns nil unless all records of the source are new objects of one entity, or set the same properties of
    /// stored ones.
    ///
    /// - Parameter isKnownAtOnce: ``ImportReader/resolvesAtOnce(_:of:)``.
    init?(
        _ rowParser: RowParser, _ job: ResolvedJob, _ context: RecordState,
        isKnownAtOnce: (Schema.Relationship) -> Bool
    ) {
        entity = rowParser.plan.entity
        self.rowParser = rowParser
        listSeparator = rowParser.options.listSeparator
        schema = context.schema
        emptyRow = Array(repeating: .null, count: entity.slotCount)
        decidesAll = rowParser.plan.references.isEmpty && context.keyIndexes.byEntity[entity.index].isEmpty
        let indexNumber = job.indexNumber(of: entity)
        if job.findsByKey {
            // Rows must not change other keys, because later rows could find objects by them.
            guard let indexNumber, context.keyIndexes.byEntity[entity.index] == [indexNumber],
                job.options.onConflict == .update || job.options.onConflict == .skip, !job.mergesEqualRows
            else { return nil }
        }
        guard job.linkRelationship == nil, job.options.constants.isEmpty, !job.options.nullIsDefault,
            !job.options.restoresAsIs,
            !job.mergesEqualRows || rowParser.plan.references.isEmpty
        else { return nil }
        let keySlots = context.keyIndexes.keySlots(of: entity)
        var filled: Set<Int> = []
        for role in rowParser.plan.roles {
            switch role {
            case .ignored:
                columns.append(.ignored)
                areKeys.append(false)
            case .attribute(let index):
                let parser = rowParser.plan.attributes[index]
                guard parser.files == nil else { return nil }
                filled.insert(parser.attribute.slot)
                areKeys.append(parser.keepsSpaces && keySlots.contains(parser.attribute.slot))
                if let column = PlainColumn(parser) {
                    columns.append(.plain(plain.count))
                    plain.append(column)
                } else {
                    columns.append(.other(index))
                }
            case .reference(let index):
                let plan = rowParser.plan.references[index]
                guard let reference = Self.reference(plan, context, isKnownAtOnce(plan.relationship)) else {
                    return nil
                }
                filled.insert(reference.slot)
                columns.append(.reference(reference))
                areKeys.append(true)
                if reference.keys == nil { ordered.append(reference) }
            case .unresolved, .rejected, .otherEntity, .identifier: return nil
            }
        }
        canInsert = fillAbsent(filled)
        if let indexNumber {
            guard filled.isSuperset(of: context.keyIndexes.all[indexNumber].slots) else { return nil }
            var mask = SlotMask(slotCount: entity.slotCount)
            for slot in filled { mask.insert(slot) }
            matching = Matching(
                indexNumber: indexNumber, skips: job.options.onConflict == .skip, filled: mask,
                hasLists: entity.relationships.contains { $0.isToMany && filled.contains($0.slot) })
        } else if !canInsert {
            return nil
        }
        if job.mergesEqualRows { distinctSlots = entity.attributes.map(\.slot).filter(filled.contains) }
    }

    /// Creates a copy for another thread.
    init(copying other: ChunkParser) {
        self = other
        rowParser = RowParser(copying: other.rowParser)
    }

    private static func reference(
        _ plan: ColumnPlan.ReferencePlan, _ context: RecordState, _ isKnownAtOnce: Bool
    ) -> Reference? {
        let relationship = plan.relationship
        guard let indexNumber = plan.indexNumber, plan.keys.count == 1, let key = plan.keys.first,
            key.isPlain, key.type == .string,
            isKnownAtOnce
                || !relationship.isToMany && context.bindsEarly(plan.policy)
                    && !context.schema.isOneToOne(relationship) && context.keyIndexes.isFinal(indexNumber)
        else { return nil }
        return Reference(
            relationship: relationship, indexNumber: indexNumber,
            isOptional: relationship.violations(ofCount: 0).isEmpty, policy: plan.policy,
            isKnownAtOnce: isKnownAtOnce, isImplied: plan.isImplied,
            keys: context.keyIndexes.isComplete(indexNumber) && !relationship.isToMany
                ? FinalKeys(context.keyIndexes.all[indexNumber].index) : nil)
    }

    /// Collects default values; false if a record without these columns may be invalid.
    private mutating func fillAbsent(_ filled: Set<Int>) -> Bool {
        for absence in rowParser.defaults where !filled.contains(absence.attribute.slot) {
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
            emptyRow[absence.attribute.slot] = cell
        }
        return entity.relationships.allSatisfy { relationship in
            filled.contains(relationship.slot) || !relationship.isPersistent || relationship.isToMany
                || relationship.violations(ofCount: 0).isEmpty
        }
    }

    /// Fills the last row of a batch, an ``emptyRow``, from a record; false if the record may be invalid.
    ///
    /// If ``decidesAll``, the fields in the columns ``doubtful`` must then be read with ``fillDoubtful(_:into:_:)``.
    mutating func fill(_ record: Int, of chunk: CSVChunk, into batch: inout RowBatch) -> Bool {
        guard let header = batch.rows.last else { return false }
        if !doubtful.isEmpty { doubtful.removeAll(keepingCapacity: true) }
        if !spaced.isEmpty { spaced.removeAll(keepingCapacity: true) }
        let first = header.firstCell
        var start = chunk.start(of: record)
        var index = record &* chunk.width
        for column in columns.indices {
            let field = chunk.field(index, from: start)
            let text = UnsafeBufferPointer(rebasing: chunk.bytes[field.start..<field.end])
            if !fill(column, field, text, first, chunk, &batch) {
                guard decidesAll else { return false }
                doubtful.append(column)
            }
            if areKeys[column], EdgeSpaces.has(text) { spaced.append(column) }
            start = Int(chunk.ends[index]) &+ 1
            index &+= 1
        }
        return doubtful.isEmpty
    }

    @inline(__always)
    private mutating func fill(
        _ column: Int, _ field: CSVChunk.Field, _ text: UnsafeBufferPointer<UInt8>, _ first: Int, _ chunk: CSVChunk,
        _ batch: inout RowBatch
    ) -> Bool {
        // The reader handles doubled quotes.
        if field.isQuoted, chunk.hasDoubledQuotes, text.contains(chunk.quote) { return false }
        switch columns[column] {
        case .ignored: break
        case .plain(let index):
            guard let cell = plain[index].read(text, isQuoted: field.isQuoted, into: &batch.bytes) else { return false }
            batch.cells[first &+ plain[index].slot] = cell
        case .reference(let reference):
            if text.isEmpty, !field.isQuoted { return reference.isOptional }
            guard reference.relationship.isToMany ? isPlainList(text, reference) : !isDoubtful(text, reference) else {
                return false
            }
            guard let cell = cell(text, reference, &batch.bytes) else { return false }
            batch.cells[first &+ reference.slot] = cell
        case .other(let index):
            let kind: Record.Kind = field.isQuoted ? .quoted : .text
            let place = Record.Field(
                kind: kind, column: Int32(truncatingIfNeeded: column), start: 0, end: 0, rawStart: 0)
            return rowParser.fill(index, place, text, row: batch.rows.count - 1, &batch).isEmpty
        }
        return true
    }

    /// Whether a text can be an `$id`.
    private func isDoubtful(_ text: UnsafeBufferPointer<UInt8>, _ reference: Reference) -> Bool {
        reference.isImplied && RowParser.isIdentifier(text)
    }

    /// Whether the elements of a list are unquoted keys without spaces at their ends.
    private func isPlainList(_ text: UnsafeBufferPointer<UInt8>, _ reference: Reference) -> Bool {
        var start = 0
        while true {
            var end = start
            while end < text.count, text[end] != listSeparator {
                if text[end] == UInt8(ascii: "\"") { return false }
                end &+= 1
            }
            let element = UnsafeBufferPointer(rebasing: text[start..<end])
            if element.isEmpty || EdgeSpaces.has(element) || isDoubtful(element, reference) { return false }
            guard end < text.count else { return true }
            start = end &+ 1
        }
    }

    /// Reads the ``doubtful`` fields of the last row's record and reports their problems.
    func fillDoubtful(_ record: borrowing Record, into batch: inout RowBatch, _ context: inout RecordState) {
        for column in doubtful {
            guard case .attribute(let index) = rowParser.plan.roles[column] else { continue }
            let field = record.fields[column]
            record.bytes.withUnsafeBufferPointer { bytes in
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                rowParser.fill(index, record, field, text, row: batch.rows.count - 1, &batch, &context)
            }
        }
    }

    /// Returns the cell of a reference; nil if the reference may be invalid or must wait.
    private mutating func cell(
        _ text: UnsafeBufferPointer<UInt8>, _ reference: Reference, _ bytes: inout [UInt8]
    ) -> StoredCell? {
        guard let keys = reference.keys else {
            let start = UInt32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: text)
            return .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
        }
        key.removeAll(keepingCapacity: true)
        NaturalKeyBytes.append(text: text, to: &key)
        return Self.cell(keys.index, key, reference, schema)
    }

    /// Returns the cell for the object that a lookup finds; nil if there is not exactly one.
    static func cell(
        _ index: borrowing NaturalKeyIndex, _ key: [UInt8], _ reference: Reference, _ schema: Schema
    ) -> StoredCell? {
        guard let entry = index.find(key), entry.sharing == .none, !entry.isRejected, !entry.isMade,
            schema.entity(Int(entry.entity), isKindOf: reference.relationship.destination)
        else { return nil }
        return .reference(key: entry.key, entity: entry.entity)
    }
}
