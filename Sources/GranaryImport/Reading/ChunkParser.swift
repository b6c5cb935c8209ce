import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// Creates rows from records whose nested objects have only their keys, column by column. It reads only data that does
/// not change while records are read, so several threads can use copies of it.
///
/// Records are regular CSV records (``fill(_:of:into:)``) or ``Record``s of any format (``fill(_:into:)``).
struct ChunkParser {
    enum Column {
        case ignored
        /// An index into ``ChunkParser/plain``, and an attribute in ``ColumnPlan/attributes``.
        case plain(Int, attribute: Int)
        /// An index into ``ChunkParser/references``.
        case reference(Int)
        /// An attribute that ``FieldParser`` reads.
        case other(Int)
        /// The reading thread must read records with this column.
        case unknown
    }

    /// A relationship whose objects are looked up by one text attribute.
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
        /// The column with the name of the key attribute, which a nested object with only its key has; nil if there is
        /// none.
        let keyColumn: Int?
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
    /// The indexes of the fields of the current record that may be invalid.
    var doubtful: [Int] = []
    /// Whether the reading thread must read the current record.
    var isUndecided = false
    /// Their elements are small, because a switch copies them for each field.
    private(set) var columns: [Column] = []
    private(set) var references: [Reference] = []
    var plain: [PlainColumn] = []
    /// The columns that each record must have.
    private(set) var needed: [Int] = []
    /// The number of the current record, and for each column that of the last record with the column.
    var turn = 0
    var lastTurns: [Int] = []
    /// The cells of a row before its record is read: the default values of attributes without a column, or of all
    /// attributes if a record can lack columns. Their texts are in ``emptyBytes``, with which the bytes of a batch begin.
    private(set) var emptyRow: [StoredCell]
    private(set) var emptyBytes: [UInt8] = []
    /// For each column, whether its texts are keys.
    private(set) var areKeys: [Bool] = []
    /// The indexes of the fields of the current record that are keys and begin or end with spaces.
    var spaced: [Int] = []
    /// The slots of the attributes that have a column, if equal rows are one object.
    private(set) var distinctSlots: [Int]?
    private var key: [UInt8] = []

    /// Returns nil unless all records of the source are new objects of one entity, or set the same properties of
    /// stored ones.
    ///
    /// - Parameters:
    ///   - isRegular: whether each record has all columns.
    ///   - isKnownAtOnce: ``ImportReader/resolvesAtOnce(_:of:)``.
    init?(
        _ rowParser: RowParser, _ job: ResolvedJob, _ context: RecordState, isRegular: Bool,
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
            !job.mergesEqualRows || rowParser.plan.references.isEmpty && isRegular
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
                    columns.append(.plain(plain.count, attribute: index))
                    plain.append(column)
                } else {
                    columns.append(.other(index))
                }
            case .reference(let index):
                let plan = rowParser.plan.references[index]
                guard let reference = Self.reference(plan, rowParser.plan, context, isKnownAtOnce(plan.relationship))
                else { return nil }
                filled.insert(reference.slot)
                columns.append(.reference(references.count))
                references.append(reference)
                areKeys.append(true)
                if reference.keys == nil { ordered.append(reference) }
            case .unresolved, .rejected, .otherEntity, .uncorrected:
                guard !isRegular else { return nil }
                columns.append(.unknown)
                areKeys.append(false)
            case .identifier, .part: return nil
            }
        }
        let required = fillAbsent(isRegular ? filled : [])
        canInsert = required.isSubset(of: filled)
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
        if !isRegular {
            needed = columns.indices.filter { column in
                slot(of: column).map { matching != nil || required.contains($0) } ?? false
            }
        }
        lastTurns = Array(repeating: 0, count: columns.count)
        if job.mergesEqualRows { distinctSlots = entity.attributes.map(\.slot).filter(filled.contains) }
    }

    /// The slot that a column fills.
    private func slot(of column: Int) -> Int? {
        switch columns[column] {
        case .plain(_, let attribute), .other(let attribute): rowParser.plan.attributes[attribute].attribute.slot
        case .reference(let index): references[index].slot
        case .ignored, .unknown: nil
        }
    }

    /// Creates a copy for another thread.
    init(copying other: ChunkParser) {
        self = other
        rowParser = RowParser(copying: other.rowParser)
    }

    private static func reference(
        _ plan: ColumnPlan.ReferencePlan, _ columns: ColumnPlan, _ context: RecordState, _ isKnownAtOnce: Bool
    ) -> Reference? {
        let relationship = plan.relationship
        guard let indexNumber = plan.indexNumber, plan.keys.count == 1, !plan.hasOwners, let key = plan.keys.first,
            key.isPlain, key.type == .string,
            isKnownAtOnce
                || !relationship.isToMany && context.bindsEarly(plan.policy)
                    && !context.schema.isOneToOne(relationship) && context.keyIndexes.isFinal(indexNumber)
        else { return nil }
        return Reference(
            relationship: relationship, indexNumber: indexNumber,
            isOptional: relationship.violations(ofCount: 0).isEmpty, policy: plan.policy,
            isKnownAtOnce: isKnownAtOnce, isImplied: plan.isImplied,
            keyColumn: columns.columnNames.firstIndex(of: key.attribute.name),
            keys: context.keyIndexes.isComplete(indexNumber) && !relationship.isToMany
                ? FinalKeys(context.keyIndexes.all[indexNumber].index) : nil)
    }

    /// Collects the default values of attributes that are not in `filled`.
    ///
    /// - Returns: the slots without which a record may be invalid.
    private mutating func fillAbsent(_ filled: Set<Int>) -> Set<Int> {
        var required: Set<Int> = []
        var scratch = RowBatch()
        for absence in rowParser.defaults where !filled.contains(absence.attribute.slot) {
            let slot = absence.attribute.slot
            guard let value = absence.value else {
                if !absence.attribute.validator.allowsNull { required.insert(slot) }
                continue
            }
            let cell = value.withBorrowed { value -> StoredCell? in
                guard absence.attribute.validator.violations(of: value).isEmpty else { return nil }
                return scratch.cell(for: value)
            }
            switch cell {
            case .null?, .integer?, .real?: emptyRow[slot] = cell ?? .null
            case .text? where absence.attribute.type == .string: emptyRow[slot] = cell ?? .null
            default: required.insert(slot)
            }
        }
        emptyBytes = scratch.bytes
        for relationship in entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !filled.contains(relationship.slot)
            && !relationship.violations(ofCount: 0).isEmpty
        {
            required.insert(relationship.slot)
        }
        return required
    }

    /// Fills the last row of a batch, an ``emptyRow``, from a record; false if the record may be invalid.
    ///
    /// If ``decidesAll``, the fields ``doubtful`` must then be read with ``fillDoubtful(_:into:_:)``.
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
        case .unknown: return false
        case .plain(let index, _):
            guard let cell = plain[index].read(text, isQuoted: field.isQuoted, into: &batch.bytes) else { return false }
            batch.cells[first &+ plain[index].slot] = cell
        case .reference(let index):
            let reference = references[index]
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
    func isDoubtful(_ text: UnsafeBufferPointer<UInt8>, _ reference: Reference) -> Bool {
        reference.isImplied && RowParser.isIdentifier(text)
    }

    /// Whether the elements of a list are unquoted keys without spaces at their ends.
    func isPlainList(_ text: UnsafeBufferPointer<UInt8>, _ reference: Reference) -> Bool {
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
        for place in doubtful {
            let field = record.fields[place]
            guard case .attribute(let index) = rowParser.plan.roles[Int(field.column)] else { continue }
            record.bytes.withUnsafeBufferPointer { bytes in
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                rowParser.fill(index, record, field, text, row: batch.rows.count - 1, &batch, &context)
            }
        }
    }

    /// Returns the cell of a reference; nil if the reference may be invalid or must wait.
    mutating func cell(
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
