import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// The reading half of an import: records in, checked rows out. It touches no store, so it runs beside the writing.
final class ImportSession {
    private let schema: Schema
    private let options: ImportOptions
    private let entity: Schema.Entity?
    private let keepsExactDecimals: Bool
    /// Whether rows keep the keys that `$id` gives them: in a store without objects.
    private let keepsIdentifiers: Bool
    private var builders: [Int: RowBuilder] = [:]
    private var context: RowContext
    private var collector: DiagnosticCollector
    private(set) var report = ImportReport()
    private(set) var keysGiven: ImportKeys
    private var files: [String] = []
    private var hasCheckedMap = false
    private var batch = RowBatch()

    /// How many rows travel together to the writer.
    private static let batchRows = 1000
    private static let batchBytes = 4 << 20

    init(
        schema: Schema, entity: Schema.Entity?, options: ImportOptions, keys: TrackedKeys, lastKeys: [Int: Int64],
        keepsExactDecimals: Bool, keepsIdentifiers: Bool
    ) {
        self.schema = schema
        self.entity = entity
        self.options = options
        keysGiven = ImportKeys(last: lastKeys)
        self.keepsExactDecimals = keepsExactDecimals
        self.keepsIdentifiers = keepsIdentifiers
        context = RowContext(schema: schema, file: "", keys: keys)
        collector = DiagnosticCollector(limit: options.diagnosticLimit)
        report.entity = entity?.name
    }

    var hasErrors: Bool { collector.errorCount > 0 }

    /// Reads a source to its end and hands out its rows in batches.
    ///
    /// `emit` takes a full batch and gives an empty one back, whose memory is used again; nil stops the reading.
    func read(
        _ reader: any RecordReader, _ cancellation: ImportCancellation?, emit: (RowBatch) throws -> RowBatch?
    ) throws {
        let file = Int32(files.count)
        files.append(reader.sourceName)
        context.setFile(reader.sourceName)
        builders.removeAll()
        hasCheckedMap = false
        let errorsBefore = collector.errorCount
        do {
            try reader.readHeader()
            // A header is of one entity: the one asked for, or the one that the source names.
            let named = reader.entities.count == 1 ? schema.entity(named: reader.entities[0]) : nil
            if let entity = entity ?? named, !reader.columns.isEmpty { try prepare(entity, reader) }
            // Problems of the header are said once, not for every row.
            guard collector.errorCount == errorsBefore else { return }
            var record = Record()
            while !(cancellation?.isCancelled ?? false) {
                switch try reader.next(into: &record) {
                case .end:
                    checkMap(reader.columns, at: headerStart(reader))
                    return try finishBatch(emit)
                case .malformed(let diagnostic):
                    report.read += 1
                    report.rejected += 1
                    collector.add(diagnostic)
                case .record:
                    report.read += 1
                    try take(record, reader, file: file)
                    if batch.rows.count >= Self.batchRows || batch.bytes.count >= Self.batchBytes {
                        guard let next = try emit(batch) else { return }
                        batch = next
                        batch.removeAll()
                    }
                }
            }
        } catch let error as GranaryError where error.code == .refused && !error.diagnostics.isEmpty {
            // What was read before counts: the source is broken from there on.
            collector.add(contentsOf: error.diagnostics)
        }
    }

    private func finishBatch(_ emit: (RowBatch) throws -> RowBatch?) throws {
        guard !batch.isEmpty else { return }
        batch = try emit(batch) ?? RowBatch()
        batch.removeAll()
    }

    private func builder(for entity: Schema.Entity) -> RowBuilder {
        if let builder = builders[entity.index] { return builder }
        let builder = RowBuilder(
            entity: entity, schema: schema, options: options, keepsExactDecimals: keepsExactDecimals)
        builders[entity.index] = builder
        return builder
    }

    /// The columns of a header are known before the first record, so their problems are found here.
    private func prepare(_ entity: Schema.Entity, _ reader: any RecordReader) throws {
        let builder = builder(for: entity)
        builder.plan.extend(to: reader.columns)
        let start = headerStart(reader)
        for column in reader.columns.indices {
            let problem = try meet(column, of: builder, at: reader.headerPosition(ofColumn: column) ?? start)
            if let problem { collector.add(problem) }
        }
        try builder.prepareConstants(keys: &context.keys, mayBeOthers: false)
        checkMap(reader.columns, at: start)
        checkMissing(builder.plan, at: start)
    }

    private func headerStart(_ reader: any RecordReader) -> SourcePosition {
        reader.headerPosition(ofColumn: nil) ?? SourcePosition(file: reader.sourceName, line: 1, column: 1)
    }

    /// Finds out what a column is for, or what is wrong with it.
    private func meet(_ column: Int, of builder: RowBuilder, at position: SourcePosition) throws -> Diagnostic? {
        var problem: Diagnostic?
        try builder.plan.meet(column, keys: &context.keys, at: position) { problem = $0 }
        return problem
    }

    /// Columns that are mapped and nowhere to be found.
    private func checkMap(_ columns: [String], at position: SourcePosition) {
        guard !hasCheckedMap else { return }
        hasCheckedMap = true
        for column in options.columnMap.keys.sorted() where !columns.contains(column) {
            collector.add(
                Diagnostic(
                    .headerMissing,
                    "there is no column \"\(column)\" to map" + NearestText.hint(for: column, in: columns),
                    at: position, field: column, entity: entity?.name))
        }
    }

    /// Columns that must be there and are not.
    private func checkMissing(_ plan: ColumnPlan, at position: SourcePosition) {
        for attribute in plan.entity.attributes
        where attribute.isPersistent && !attribute.description.isOptional && attribute.description.defaultValue == nil
            && attribute.description.derivationExpression == nil && !plan.isFilled(attribute.name)
        {
            collector.add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required and has no default", at: position,
                    entity: plan.entity.name, property: attribute.name))
        }
        for relationship in plan.entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !relationship.description.isOptional
            && !plan.isFilled(relationship.name)
        {
            collector.add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required", at: position,
                    entity: plan.entity.name, property: relationship.name))
        }
    }

    // MARK: One record

    private func take(_ record: borrowing Record, _ reader: any RecordReader, file: Int32) throws {
        context.begin(record, file: file)
        guard let entity = entity(of: record, reader) else {
            report.rejected += 1
            return
        }
        let builder = builder(for: entity)
        if !builder.hasConstants || builder.plan.metCount < reader.columns.count {
            try meetColumns(of: record, builder, reader)
        }
        guard let key = keysGiven.next(root: entity.root) else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "the store has no keys left for \(entity.name)",
                    at: record.position(ofRaw: 0, file: reader.sourceName), entity: entity.name))
        }
        batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        builder.build(record, into: &batch, context: &context)
        applyIdentifier(entity, record)
        checkUniqueness(entity, record)
        let isRejected = context.end(key: batch.rows[batch.rows.count - 1].key)
        if !context.diagnostics.isEmpty { collector.add(contentsOf: context.diagnostics) }
        if isRejected {
            report.rejected += 1
            batch.removeLastRow()
        } else {
            report.created += 1
        }
    }

    /// JSON and property lists meet members as they go; those of a document's other entities never.
    private func meetColumns(
        of record: borrowing Record, _ builder: RowBuilder, _ reader: any RecordReader
    ) throws {
        builder.plan.extend(to: reader.columns)
        var cursor = Record.Cursor()
        for field in record.fields where builder.plan.isUnmet(field.column) {
            let position = record.position(of: field, file: reader.sourceName, &cursor)
            // It is this record that has the member, so this record is refused.
            if let problem = try meet(Int(field.column), of: builder, at: position) {
                context.diagnostics.append(problem)
            }
        }
        try builder.prepareConstants(keys: &context.keys, mayBeOthers: entity == nil)
    }

    private func entity(of record: borrowing Record, _ reader: any RecordReader) -> Schema.Entity? {
        guard record.entity >= 0, reader.entities.indices.contains(Int(record.entity)) else {
            if entity == nil {
                collector.add(
                    Diagnostic(
                        .entityUnknown, "the source does not say of which entity its records are; say --entity",
                        at: record.position(ofRaw: 0, file: reader.sourceName)))
            }
            return entity
        }
        let name = reader.entities[Int(record.entity)]
        let position = record.position(ofRaw: 0, file: reader.sourceName)
        if let entity, let found = schema.entity(named: name), !entity.family.contains(found.index) {
            collector.add(
                Diagnostic(
                    .entityUnknown, "the source says \(name), and \(entity.name) was asked for (--entity)",
                    at: position, entity: name))
            return nil
        }
        guard let found = schema.entity(named: name) else {
            let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
            collector.add(Diagnostic(.entityUnknown, "the model has no entity \"\(name)\"\(hint)", at: position))
            return nil
        }
        guard !found.isAbstract else {
            collector.add(
                Diagnostic(.entityAbstract, "an abstract entity has no objects of its own", at: position, entity: name))
            return nil
        }
        return found
    }

    /// The identifier finds the object for references, and in a new store is its key.
    private func applyIdentifier(_ entity: Schema.Entity, _ record: borrowing Record) {
        guard !context.identifier.isEmpty else { return }
        let row = batch.rows.count - 1
        if keepsIdentifiers, let key = Self.key(in: context.identifier, of: entity),
            keysGiven.take(key, insteadOf: batch.rows[row].key, root: entity.root)
        {
            batch.rows[row].key = key
        }
        if let twin = context.references.addIdentifier(
            context.identifier, entity: Int32(entity.index), object: batch.rows[row].key, place: context.place)
        {
            context.diagnostics.append(
                Diagnostic(
                    .uniqueDuplicate,
                    "the $id \(KeyBytes.display(context.identifier[...])) stands in line \(twin.line) already",
                    at: record.position(ofRaw: 0, file: files.last ?? ""), entity: entity.name))
        }
    }

    /// The 12 of `Entity/p12`.
    private static func key(in identifier: [UInt8], of entity: Schema.Entity) -> Int64? {
        guard let text = KeyBytes.text(identifier[...]), text.hasPrefix(entity.name + "/p"),
            let key = Int64(text.dropFirst(entity.name.count + 2)), key > 0
        else { return nil }
        return key
    }

    private func checkUniqueness(_ entity: Schema.Entity, _ record: borrowing Record) {
        let row = batch.rows.count - 1
        let files = files
        var found: [Diagnostic] = []
        context.keys.add(row: row, of: batch, at: context.place) { tracked, twin in
            let isInStore = twin.record == 0
            let where_ = RecordPlace(
                file: twin.file, line: twin.line, column: 1, byteOffset: 0, record: twin.record)
            let names = tracked.names.joined(separator: ", ")
            let message =
                isInStore
                ? "an object with this \(names) is in the store already"
                : "the same \(names) stands in \(where_.describe(files)) already"
            var related: [SourcePosition] = []
            if !isInStore {
                var position = where_.position(files: files)
                position.byteOffset = nil
                related = [position]
            }
            found.append(
                Diagnostic(
                    isInStore ? .uniqueExists : .uniqueDuplicate, message, entity: entity.name,
                    property: tracked.names.first, coreDataCode: 1551, related: related))
        }
        guard !found.isEmpty else { return }
        for var diagnostic in found {
            diagnostic.position = position(of: diagnostic.property, entity, record)
            context.diagnostics.append(diagnostic)
        }
    }

    /// Where the record has the property's field, or else where the record begins.
    private func position(of property: String?, _ entity: Schema.Entity, _ record: borrowing Record) -> SourcePosition {
        let file = files.last ?? ""
        if let plan = builders[entity.index]?.plan {
            for field in record.fields where plan.roles.indices.contains(Int(field.column)) {
                if case .attribute(let index) = plan.roles[Int(field.column)],
                    plan.attributes[index].attribute.name == property
                {
                    return record.position(of: field, file: file)
                }
            }
        }
        return record.position(ofRaw: 0, file: file)
    }

    // MARK: The end

    /// Sets what was left open.
    func finish(_ access: ReferenceTable.StoreAccess) throws {
        let outcome = try context.references.resolve(
            in: context.keys, schema: schema, files: files, isClean: !hasErrors, access)
        collector.add(contentsOf: outcome.diagnostics)
        reject(rows: outcome.rejected.count)
    }

    func add(_ diagnostic: Diagnostic) { collector.add(diagnostic) }

    /// Moves rows that turned out bad only after they were read.
    func reject(rows: Int) {
        report.created -= rows
        report.rejected += rows
    }

    /// The report of what was done; `isRefused` turns good rows into skipped ones.
    func finishedReport() -> ImportReport {
        report.diagnostics = collector.diagnostics
        report.diagnosticCount = collector.count
        report.errorCount = collector.errorCount
        if hasErrors {
            report.isRefused = true
            report.skipped += report.created
            report.created = 0
        }
        return report
    }
}
