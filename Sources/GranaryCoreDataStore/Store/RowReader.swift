import GranaryBase
package import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// Appends rows to batches: the current row of a statement or a table scan.
package final class RowReader {
    let schema: Schema
    let plan: StoreSQL.RootPlan
    let storePath: String

    /// Whether large external files are read only on demand.
    let leavesFiles: Bool

    /// Collects missing external files, whose values are then NULL; nil if they are errors.
    let missingFiles: MissingExternalFiles?
    /// Counts the values that are converted from another storage class.
    let conversions: ConvertedValues?
    /// The conversions in the current row, if they are counted.
    var conversionsInRow: [(attribute: Schema.Attribute, storageClass: StorageClass)] = []

    /// The values of the current row: key, entity number and version, then the columns of the plan.
    private let values: UnsafeMutableBufferPointer<ColumnValue>
    // Of the plan's fields. Local copies, so that no reference is followed for each row.
    private let fields: UnsafeMutableBufferPointer<StoreSQL.Field>
    private let firstFields: UnsafeMutableBufferPointer<Int>
    private let slotCounts: UnsafeMutableBufferPointer<Int>
    private let references: [[(key: Int, entity: Int)]]
    private let hasReferences: Bool
    private let isPlain: Bool
    private let root: Int

    package init(
        schema: Schema, plan: StoreSQL.RootPlan, storePath: String, leavesFiles: Bool = false,
        missingFiles: MissingExternalFiles? = nil, conversions: ConvertedValues? = nil
    ) {
        self.schema = schema
        self.plan = plan
        self.storePath = storePath
        self.leavesFiles = leavesFiles
        self.missingFiles = missingFiles
        self.conversions = conversions
        values = .allocate(capacity: plan.columns.count + 3)
        values.initialize(repeating: .null)
        // The plan keeps the buffers.
        fields = plan.fields.fields
        firstFields = plan.fields.firstFields
        slotCounts = plan.fields.slotCounts
        references = plan.fields.references
        hasReferences = plan.fields.hasReferences
        isPlain = plan.fields.isPlain
        root = plan.root
    }

    deinit { values.deallocate() }

    /// The names of the columns that a row is read from.
    var columnNames: [String] { [Self.keyColumn, "Z_ENT", "Z_OPT"] + plan.columns }

    /// The column with the primary key.
    static let keyColumn = "Z_PK"

    /// Appends the current row of a statement.
    ///
    /// Values are not checked against the types of their attributes; ``RowBatch/withValue(row:of:_:)`` does that.
    ///
    /// - Throws: ``GranaryError`` with a diagnostic (`store.corrupt`) if the row belongs to no entity of the model, a
    ///   reference is not an integer, or a value in external storage cannot be read.
    package func append(_ statement: Statement, to batch: inout RowBatch) throws {
        try statement.read(into: values)
        try append(to: &batch)
    }

    /// Appends the current row of a scan if it belongs to one of some entities.
    ///
    /// - Returns: false if a statement must read the row.
    func append(_ scan: TableScan, entities: Range<Int>, to batch: inout RowBatch) throws -> Bool {
        // The overflow pages of other entities' rows are not read.
        if scan.hasOverflow, let number = scan.integer(1), !Self.isNumber(number, of: entities) { return true }
        guard scan.read(into: values), case .integer(let number) = values[1] else { return false }
        guard Self.isNumber(number, of: entities) else { return true }
        guard case .integer = values[2], isComplete(Int(number) - 1) else { return false }
        guard isPlain else {
            try append(to: &batch)
            return true
        }
        // One copy for all texts and blobs of the row.
        let start = try begin(scan.payload.count, scan.rowID, batch.bytes)
        batch.bytes.append(contentsOf: scan.payload)
        try append(to: &batch, scan.payload.baseAddress.map { Copied(payload: $0, start: start) })
        return true
    }

    /// A record whose bytes were appended to the batch.
    struct Copied {
        fileprivate let payload: UnsafePointer<UInt8>
        /// Where they begin in the batch.
        fileprivate let start: UInt32

        func start(of value: UnsafeBufferPointer<UInt8>) -> UInt32 {
            start &+ UInt32(truncatingIfNeeded: value.baseAddress.map { $0 - payload } ?? 0)
        }
    }

    /// Whether a row's entity number (`Z_ENT`) is that of one of some entities. Numbers count from 1.
    private static func isNumber(_ number: Int64, of entities: Range<Int>) -> Bool {
        number > entities.lowerBound && number <= entities.upperBound
    }

    /// Whether each reference has an entity number. A statement looks up missing ones.
    private func isComplete(_ entity: Int) -> Bool {
        if !hasReferences { return true }
        guard references.indices.contains(entity - root) else { return true }
        for reference in references[entity - root] {
            if case .null = values[reference.entity] {
                guard case .null = values[reference.key] else { return false }
            }
        }
        return true
    }

    /// - Parameter copied: the record that the values are in, if the batch has a copy; otherwise texts and blobs are
    ///   copied.
    private func append(to batch: inout RowBatch, _ copied: Copied? = nil) throws {
        guard case .integer(let key) = values[0] else { throw keyless() }
        let (number, version) = (integer(1), integer(2))
        let (place, isTooSmall) = Int(clamping: number).subtractingReportingOverflow(root + 1)
        guard !isTooSmall, place >= 0, place < slotCounts.count else {
            throw corrupt("the row belongs to no entity of this table (Z_ENT \(number))", key)
        }
        let entity = root + place
        guard version >= 0, version < .max else { throw corrupt("its version (Z_OPT) is \(version)", key) }
        let first = batch.cells.count
        // What an error has left.
        if conversions != nil { conversionsInRow.removeAll() }
        batch.appendRow(entity: entity, key: key, version: version, slotCount: slotCounts[place])
        for index in firstFields[place]..<firstFields[place + 1] {
            let field = fields[index]
            let cell: StoredCell
            switch (field.content, values[field.index]) {
            case (_, .null): continue
            case (.value, .integer(let value)) where field.form.takesIntegers: cell = .integer(value)
            case (.value, .real(let value)) where field.form.takesReals: cell = .real(value)
            case (.value, .text(let text)) where field.form.takesText:
                let start = try copied?.start(of: text) ?? copy(text, key, &batch.bytes)
                cell = .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
            case (.value, .blob(let blob)) where field.form.takesBlobs:
                let start = try copied?.start(of: blob) ?? copy(blob, key, &batch.bytes)
                cell = .blob(start: start, count: UInt32(truncatingIfNeeded: blob.count))
            case (.enumerationCase, let value):
                guard case .null = batch.cells[first + field.slot] else {
                    throw corrupt("\(column(field)) and the column of another case have values", key)
                }
                if case .text(let text) = value {
                    let start = try copied?.start(of: text) ?? copy(text, key, &batch.bytes)
                    cell = .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
                } else {
                    cell = try converted(value, field, key, entity, copied, &batch.bytes)
                }
            case (.value, let value): cell = try converted(value, field, key, entity, copied, &batch.bytes)
            case (.tagged, let value), (.external, let value):
                cell = try taggedCell(value, field, key, entity, &batch.bytes)
            case (.referenceKey, .integer(let value)):
                cell = .reference(key: value, entity: field.destination)
            case (.referenceEntity, .integer(let number)):
                // This column comes after the key's column. It replaces the declared entity by the concrete one.
                guard case .reference(let target, _) = batch.cells[first + field.slot] else { continue }
                guard number >= 1, number <= Int64(schema.entities.count),
                    schema.entity(Int(number) - 1, isKindOf: Int(field.destination))
                else {
                    throw corrupt(
                        "\(column(field)) is \(number), which is not an entity that the relationship allows", key)
                }
                cell = .reference(key: target, entity: Int32(truncatingIfNeeded: number - 1))
            case (.referenceKey, _), (.referenceEntity, _):
                throw corrupt("\(column(field)) is a reference, but its value is not an integer", key)
            }
            batch.cells[first + field.slot] = cell
        }
        if conversions != nil { countConversions(in: batch, row: batch.rows.count - 1) }
    }

    func copy(
        _ value: UnsafeBufferPointer<UInt8>, _ key: Int64, _ bytes: inout [UInt8]
    ) throws -> UInt32 {
        let start = try begin(value.count, key, bytes)
        bytes.append(contentsOf: value)
        return start
    }

    /// A value as an integer; 0 for what is not a number.
    private func integer(_ index: Int) -> Int64 {
        switch values[index] {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        case .text(let text): Int64(String(decoding: text, as: UTF8.self)) ?? 0
        case .blob, .null: 0
        }
    }

    private func taggedCell(
        _ columnValue: ColumnValue, _ field: StoreSQL.Field, _ key: Int64, _ entity: Int, _ bytes: inout [UInt8]
    ) throws -> StoredCell {
        let stored: UnsafeBufferPointer<UInt8>
        switch columnValue {
        case .null: return .null
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value)
        case .text(let text):
            note(columnValue, field, entity)
            stored = text
        case .blob(let blob): stored = blob
        }
        let value: ArraySlice<UInt8>
        do throws(GranaryError) {
            if leavesFiles, let file = try ExternalData.largeFile(of: stored, storePath: storePath) {
                let start = UInt32(truncatingIfNeeded: bytes.count)
                bytes.append(contentsOf: file.utf8)
                return .file(start: start, count: UInt32(file.utf8.count))
            }
            value = try ExternalData.value(of: stored, storePath: storePath)
        } catch {
            if let missingFiles, let name = ExternalData.fileName(in: stored) {
                let file = ExternalData.file(name, ofStore: storePath)
                // A file that exists but cannot be read is an error.
                if FileKind(file) == .missing {
                    missingFiles.note(
                        entity: schema.entities[entity].name, key: key, property: property(field, entity)?.name,
                        file: file)
                    return .null
                }
            }
            throw naming(error, field, key, entity)
        }
        let start = try begin(value.count, key, bytes)
        bytes.append(contentsOf: value)
        return .blob(start: start, count: UInt32(value.count))
    }

    /// Adds the object and the property to an error of an external file.
    private func naming(_ error: GranaryError, _ field: StoreSQL.Field, _ key: Int64, _ entity: Int) -> GranaryError {
        let diagnostic = Diagnostic(
            .storeCorrupt, "p\(key): its external data cannot be read: \(error.message)",
            entity: schema.entities[entity].name, property: property(field, entity)?.name)
        return GranaryError(error.code, diagnostic.message, diagnostics: [diagnostic], underlying: error)
    }

    func property(_ field: StoreSQL.Field, _ entity: Int) -> Schema.Attribute? {
        schema.entities[entity].attributes.first { $0.slot == field.slot }
    }

    /// The start of the next bytes. A cell stores offsets in 32 bits, which limits the bytes of a row.
    @inline(__always)
    private func begin(_ count: Int, _ key: Int64, _ bytes: borrowing [UInt8]) throws -> UInt32 {
        guard count <= Int(UInt32.max) - bytes.count else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(plan.table) (Z_PK \(key)): the row holds more than \(UInt32.max) bytes of text and binary data"))
        }
        return UInt32(bytes.count)
    }

    private func column(_ field: StoreSQL.Field) -> String { plan.columns[field.index - 3] }

    /// The error for a row that no object ID can name. `Z_PK` is NULL or another class only in a table that was made by
    /// hand, where it is not the rowid.
    private func keyless() -> GranaryError {
        let found = if case .null = values[0] { "NULL" } else { "a \(values[0].storageClass)" }
        return GranaryError(
            Diagnostic(.storeCorrupt, "\(storePath): \(plan.table): a row has no primary key: its Z_PK is \(found)"))
    }

    private func corrupt(_ message: String, _ key: Int64) -> GranaryError {
        GranaryError(Diagnostic(.storeCorrupt, "\(storePath): \(plan.table) (Z_PK \(key)): \(message)"))
    }
}
