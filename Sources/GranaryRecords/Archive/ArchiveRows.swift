import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Converts the records of an archive to rows, checks them and inserts each into the store. It continues after a
/// problem, to report them all.
struct ArchiveRows {
    let memory: InMemoryStore
    var links: ArchiveLinks
    var problems = DiagnosticCollector.archiveProblems
    private let schema: Schema
    private let source: String
    private let writer: InMemoryWriter
    private var batch = RowBatch()
    private var values = ArchiveValueReader()
    private var table: ArchiveTable?
    /// The index of ``table`` among the reader's entities.
    private var tableNumber: Int32 = -1

    init(schema: Schema, source: String) {
        self.schema = schema
        self.source = source
        memory = InMemoryStore(schema: schema)
        links = ArchiveLinks(schema: schema)
        writer = InMemoryWriter(store: memory)
    }

    /// Checks that all entities of the file are in the model, even those without records.
    mutating func checkNames(of tables: [String]) {
        for name in tables {
            guard let entity = schema.entity(named: name) else {
                problems.add(
                    Diagnostic(
                        .entityUnknown, "the file has objects of this entity, which is not in the model",
                        entity: Diagnostic.shortened(name)))
                continue
            }
            if entity.isAbstract {
                problems.add(
                    Diagnostic(
                        .entityAbstract, "is abstract, so it cannot have objects", entity: entity.name))
            }
        }
    }

    /// - Parameters:
    ///   - columns: the reader's columns.
    ///   - tables: the reader's entities.
    mutating func add(_ record: Record, columns: [String], tables: [String]) throws {
        if record.entity != tableNumber {
            tableNumber = record.entity
            let name = tables.indices.contains(Int(tableNumber)) ? tables[Int(tableNumber)] : ""
            // `checkNames(of:)` reports unknown entities, once each.
            self.table = schema.entity(named: name).flatMap { $0.isAbstract ? nil : ArchiveTable($0, schema) }
        }
        self.table?.meet(columns)
        guard let table = self.table, let key = objectKey(of: record, table) else { return }
        let before = problems.count
        batch.removeAll()
        batch.appendRow(entity: table.entity.index, key: key, version: 1, slotCount: table.entity.slotCount)
        // A missing value is NULL and not the default, which may be newer than the file.
        var lists: [ArchiveLinks.List] = []
        record.bytes.withUnsafeBufferPointer { bytes in
            for field in record.fields {
                // The fields of a record point into its bytes.
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                switch table.content(of: field.column) {
                case .identifier?, .entityName?, .computed?: break
                case .attribute(let attribute)?: fill(attribute, field, text, record, table)
                case .relationship(let relationship, _)? where relationship.isToMany:
                    add(field, text, to: relationship, key, record, table, &lists)
                case .relationship(let relationship, _)?: refer(relationship, field, text, key, record, table)
                case nil:
                    let name = columns.indices.contains(Int(field.column)) ? columns[Int(field.column)] : ""
                    report(
                        .headerUnknown, "there is no such stored property on this side", field, record,
                        table, property: Diagnostic.shortened(name))
                }
            }
        }
        guard problems.count == before else { return }
        do {
            try writer.insert(batch)
            links.lists += lists
        } catch let error as GranaryError {
            if error.diagnostics.isEmpty { throw error }
            for diagnostic in error.diagnostics {
                var placed = diagnostic
                placed.position = record.position(ofRaw: 0, file: source)
                problems.add(placed)
            }
        }
    }

    // MARK: Keys

    private mutating func objectKey(of record: Record, _ table: ArchiveTable) -> Int64? {
        let place = record.position(ofRaw: 0, file: source)
        for field in record.fields {
            guard case .identifier? = table.content(of: field.column) else { continue }
            let name = record.bytes.withUnsafeBufferPointer { bytes in
                ArchiveObjectName.parse(
                    UnsafeBufferPointer(rebasing: bytes[field.range]), schema)
            }
            guard field.kind == .quoted, !field.isElement, let found = name, found.entity == table.entity.index else {
                report(
                    .valueSyntax, "the key of an object must have the form \(table.entity.name)/p1",
                    field, record, table, property: RecordTable.identifierColumn)
                return nil
            }
            guard memory.state.hierarchies[table.entity.root]?.rows[found.key] == nil else {
                report(
                    .uniqueDuplicate, "the key \(found.key) occurs twice", field, record, table,
                    property: RecordTable.identifierColumn)
                return nil
            }
            return found.key
        }
        problems.add(
            Diagnostic(
                .valueMissing, "an object without a key", at: place, entity: table.entity.name,
                property: RecordTable.identifierColumn))
        return nil
    }

    // MARK: Attributes

    private mutating func fill(
        _ attribute: Schema.Attribute, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, _ record: Record,
        _ table: ArchiveTable
    ) {
        guard !field.isElement else {
            return report(
                .valueSyntax, "an array is not \(attribute.type.phrase)", field, record, table, property: attribute.name
            )
        }
        do throws(ValueTextError) {
            let cell = try values.cell(field.kind, text, attribute, in: &batch)
            batch[0, attribute.slot] = cell
        } catch {
            report(
                error.code, "\(quoted(text)) is not \(attribute.type.phrase): \(error.reason)", field, record, table,
                property: attribute.name)
        }
    }

    // MARK: Relationships

    private mutating func refer(
        _ relationship: Schema.Relationship, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, _ key: Int64,
        _ record: Record, _ table: ArchiveTable
    ) {
        if field.kind == .null { return }
        guard !field.isElement, let target = destination(relationship, field, text, record, table) else {
            if field.isElement {
                report(
                    .valueSyntax, "a to-one relationship cannot be an array", field, record, table,
                    property: relationship.name)
            }
            return
        }
        batch[0, relationship.slot] = .reference(key: target.key, entity: Int32(target.entity))
        guard !memory.contains(entity: target.entity, key: target.key) else { return }
        links.references.append(
            .init(
                relationship: relationship, entity: table.entity.index, owner: key, target: target,
                place: record.position(of: field, file: source)))
    }

    private mutating func add(
        _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, to relationship: Schema.Relationship, _ key: Int64,
        _ record: Record, _ table: ArchiveTable, _ lists: inout [ArchiveLinks.List]
    ) {
        guard field.isElement || field.kind == .emptyList else {
            return report(
                .valueSyntax, "a to-many relationship must be an array", field, record, table,
                property: relationship.name)
        }
        if lists.last?.relationship.slot != relationship.slot {
            lists.append(
                .init(
                    relationship: relationship, entity: table.entity.index, owner: key, links: [],
                    place: record.position(of: field, file: source)))
        }
        guard field.kind != .emptyList, let target = destination(relationship, field, text, record, table) else {
            return
        }
        lists[lists.count - 1].links.append(Link(owner: key, entity: target.entity, destination: target.key))
    }

    private mutating func destination(
        _ relationship: Schema.Relationship, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>,
        _ record: Record, _ table: ArchiveTable
    ) -> (entity: Int, key: Int64)? {
        guard field.kind == .quoted, let target = ArchiveObjectName.parse(text, schema) else {
            report(
                .valueSyntax, "\(quoted(text)) is not an object name such as ENTITY/p1", field, record, table,
                property: relationship.name)
            return nil
        }
        guard schema.entity(target.entity, isKindOf: relationship.destination) else {
            report(
                .relationshipNotFound,
                "\(quoted(text)) is not an object of \(schema.entities[relationship.destination].name)", field,
                record, table, property: relationship.name)
            return nil
        }
        return target
    }

    // MARK: Reporting

    private func quoted(_ text: UnsafeBufferPointer<UInt8>) -> String {
        "\"\(Diagnostic.shortened(String(decoding: text, as: UTF8.self)))\""
    }

    private mutating func report(
        _ code: Diagnostic.Code, _ message: String, _ field: Record.Field, _ record: Record, _ table: ArchiveTable,
        property: String
    ) {
        problems.add(
            Diagnostic(
                code, message, at: record.position(of: field, file: source), entity: table.entity.name,
                property: property))
    }
}
