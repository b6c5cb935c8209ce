import GranaryBase
package import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// Appends the current row of a statement to a batch.
package struct RowReader {
    let schema: Schema
    let plan: StoreSQL.RootPlan
    let storePath: String

    /// Whether large external files are read only on demand.
    let leavesFiles: Bool

    /// Collects missing external files, whose values are then NULL; nil if they are errors.
    let missingFiles: MissingExternalFiles?

    package init(
        schema: Schema, plan: StoreSQL.RootPlan, storePath: String, leavesFiles: Bool = false,
        missingFiles: MissingExternalFiles? = nil
    ) {
        self.schema = schema
        self.plan = plan
        self.storePath = storePath
        self.leavesFiles = leavesFiles
        self.missingFiles = missingFiles
    }

    /// Appends the current row.
    ///
    /// Values are not checked against the types of their attributes; ``RowBatch/withValue(row:of:_:)`` does that.
    ///
    /// - Throws: ``GranaryError`` with a diagnostic (`store.corrupt`) if the row belongs to no entity of the model, a
    ///   reference is not an integer, or a value in external storage cannot be read.
    package func append(_ statement: Statement, to batch: inout RowBatch) throws {
        let key = statement.integer(at: 0)
        let number = statement.integer(at: 1)
        let (place, isTooSmall) = Int(clamping: number).subtractingReportingOverflow(plan.root + 1)
        guard !isTooSmall, plan.fields.indices.contains(place) else {
            throw corrupt("the row belongs to no entity of this table (Z_ENT \(number))", key)
        }
        let entity = plan.root + place
        let version = statement.integer(at: 2)
        guard version >= 0, version < .max else { throw corrupt("its version (Z_OPT) is \(version)", key) }
        let row = batch.appendRow(
            entity: entity, key: key, version: version, slotCount: schema.entities[entity].slotCount)
        for field in plan.fields[place] {
            switch field.content {
            case .value: batch[row, field.slot] = try cell(statement, field, key, &batch.bytes)
            case .tagged, .external:
                batch[row, field.slot] = try taggedCell(statement, field, key, entity, &batch.bytes)
            case .referenceKey:
                guard let value = try integer(statement, field, key) else { continue }
                batch[row, field.slot] = .reference(key: value, entity: field.destination)
            case .referenceEntity:
                // This column comes after the key's column. It replaces the declared entity by the concrete one.
                guard let number = try integer(statement, field, key),
                    case .reference(let target, _) = batch[row, field.slot]
                else { continue }
                guard number >= 1, number <= Int64(schema.entities.count),
                    schema.entity(Int(number) - 1, isKindOf: Int(field.destination))
                else {
                    throw corrupt(
                        "\(column(field)) is \(number), which is not an entity that the relationship allows", key)
                }
                batch[row, field.slot] = .reference(key: target, entity: Int32(truncatingIfNeeded: number - 1))
            }
        }
    }

    private func integer(_ statement: Statement, _ field: StoreSQL.Field, _ key: Int64) throws -> Int64? {
        switch statement.type(at: field.index) {
        case .integer: return statement.integer(at: field.index)
        case .null: return nil
        case .real, .text, .blob: throw corrupt("\(column(field)) is a reference, but its value is not an integer", key)
        }
    }

    private func cell(
        _ statement: Statement, _ field: StoreSQL.Field, _ key: Int64, _ bytes: inout [UInt8]
    ) throws -> StoredCell {
        switch statement.type(at: field.index) {
        case .null: return .null
        case .integer: return .integer(statement.integer(at: field.index))
        case .real: return .real(statement.double(at: field.index))
        case .text:
            let text = try statement.text(at: field.index)
            let start = try begin(text.count, field, key, &bytes)
            bytes.append(contentsOf: text)
            return .text(start: start, count: UInt32(text.count))
        case .blob:
            let blob = try statement.blob(at: field.index)
            let start = try begin(blob.count, field, key, &bytes)
            bytes.append(contentsOf: blob)
            return .blob(start: start, count: UInt32(blob.count))
        }
    }

    private func taggedCell(
        _ statement: Statement, _ field: StoreSQL.Field, _ key: Int64, _ entity: Int, _ bytes: inout [UInt8]
    ) throws -> StoredCell {
        guard statement.type(at: field.index) == .blob else { return try cell(statement, field, key, &bytes) }
        let stored = try statement.blob(at: field.index)
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
        let start = try begin(value.count, field, key, &bytes)
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
    private func begin(
        _ count: Int, _ field: StoreSQL.Field, _ key: Int64, _ bytes: inout [UInt8]
    ) throws -> UInt32 {
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
