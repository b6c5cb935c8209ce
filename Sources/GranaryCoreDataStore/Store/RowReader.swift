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

    /// The values of the current row: key, entity number and version, then the columns of the plan.
    private let values: UnsafeMutableBufferPointer<ColumnValue>
    /// The fields of all entities of the plan. Reading them changes no reference counts.
    private let fields: UnsafeMutableBufferPointer<StoreSQL.Field>
    /// The first field of each entity, and the end of the last one's.
    private let firstFields: UnsafeMutableBufferPointer<Int>
    private let slotCounts: UnsafeMutableBufferPointer<Int>
    private let root: Int
    private let emptyRow: [StoredCell]
    private let hasReferenceEntities: Bool

    package init(
        schema: Schema, plan: StoreSQL.RootPlan, storePath: String, leavesFiles: Bool = false,
        missingFiles: MissingExternalFiles? = nil
    ) {
        self.schema = schema
        self.plan = plan
        self.storePath = storePath
        self.leavesFiles = leavesFiles
        self.missingFiles = missingFiles
        values = .allocate(capacity: plan.columns.count + 3)
        values.initialize(repeating: .null)
        let all = Array(plan.fields.joined())
        fields = .allocate(capacity: all.count)
        _ = fields.initialize(fromContentsOf: all)
        firstFields = .allocate(capacity: plan.fields.count + 1)
        slotCounts = .allocate(capacity: plan.fields.count)
        root = plan.root
        var first = 0
        for (place, fields) in plan.fields.enumerated() {
            firstFields.initializeElement(at: place, to: first)
            first += fields.count
            slotCounts.initializeElement(at: place, to: schema.entities[plan.root + place].slotCount)
        }
        firstFields.initializeElement(at: plan.fields.count, to: first)
        hasReferenceEntities = all.contains { $0.content == .referenceEntity }
        emptyRow = Array(repeating: .null, count: slotCounts.max() ?? 0)
    }

    deinit {
        values.deallocate()
        fields.deallocate()
        firstFields.deallocate()
        slotCounts.deallocate()
    }

    /// The names of the columns that a row is read from.
    var columnNames: [String] { ["Z_PK", "Z_ENT", "Z_OPT"] + plan.columns }

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
        guard scan.read(into: values), case .integer(let number) = values[1] else { return false }
        guard number > entities.lowerBound, number <= entities.upperBound else { return true }
        guard case .integer = values[2], isComplete(Int(number) - 1) else { return false }
        try append(to: &batch)
        return true
    }

    /// Whether each reference has an entity number. A statement looks up missing ones.
    private func isComplete(_ entity: Int) -> Bool {
        guard hasReferenceEntities, plan.fields.indices.contains(entity - plan.root) else { return true }
        for field in plan.fields[entity - plan.root] where field.content == .referenceEntity {
            if case .null = values[field.index] { return false }
        }
        return true
    }

    private func append(to batch: inout RowBatch) throws {
        let (key, number, version) = (integer(0), integer(1), integer(2))
        let (place, isTooSmall) = Int(clamping: number).subtractingReportingOverflow(root + 1)
        guard !isTooSmall, slotCounts.indices.contains(place) else {
            throw corrupt("the row belongs to no entity of this table (Z_ENT \(number))", key)
        }
        let entity = root + place
        guard version >= 0, version < .max else { throw corrupt("its version (Z_OPT) is \(version)", key) }
        let first = batch.cells.count
        batch.appendRow(entity: entity, key: key, version: version, cells: emptyRow[..<slotCounts[place]])
        for index in firstFields[place]..<firstFields[place + 1] {
            let field = fields[index]
            let cell: StoredCell
            switch (field.content, values[field.index]) {
            case (_, .null): continue
            case (.value, .integer(let value)): cell = .integer(value)
            case (.value, .real(let value)): cell = .real(value)
            case (.value, .text(let text)):
                let start = try begin(text.count, key, batch.bytes)
                batch.bytes.append(contentsOf: text)
                cell = .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
            case (.value, .blob(let blob)):
                let start = try begin(blob.count, key, batch.bytes)
                batch.bytes.append(contentsOf: blob)
                cell = .blob(start: start, count: UInt32(truncatingIfNeeded: blob.count))
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
    }

    /// A value as an integer, as SQLite converts it: 0 for what is not a number.
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
            let start = try begin(text.count, key, bytes)
            bytes.append(contentsOf: text)
            return .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
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

    private func property(_ field: StoreSQL.Field, _ entity: Int) -> Schema.Attribute? {
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

    private func corrupt(_ message: String, _ key: Int64) -> GranaryError {
        GranaryError(Diagnostic(.storeCorrupt, "\(storePath): \(plan.table) (Z_PK \(key)): \(message)"))
    }
}
