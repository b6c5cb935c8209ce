import Foundation
package import GranaryBase
package import GranaryFormats
package import GranaryModel
package import GranaryPersistence

/// Takes objects out of a store and hands them to a writer: the reverse of the importer.
///
/// ```swift
/// try await Exporter().run(container, into: JSONWriter(url: file))
/// ```
///
/// store → batches of rows, one pass for each concrete entity in the order of the entities' numbers, objects by their
/// keys → for each batch the links and the keys of the objects it refers to → values → the writer. Memory holds
/// one batch, and the same store gives the same calls in the same order.
///
/// What is exported is what an importer needs to build an equal store:
/// - all attributes that a store keeps, but for derived ones, which the new store computes again;
/// - every to-one relationship;
/// - a to-many relationship where its inverse does not say the same: without an inverse; with an order of its own; and
///   of two that are each other's inverse without an order, the one whose entity has the lower number (then by name).
///
/// Rows, `$id` included, refer to each other as ``ExportOptions/reference`` says.
public struct Exporter: Sendable {
    /// What is exported, and how.
    public let options: ExportOptions

    /// An exporter; by default of all entities with all columns that a new store needs.
    public init(options: ExportOptions = ExportOptions()) {
        self.options = options
    }

    /// The entities that get a table each, in the order of writing.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for entities that the model does not have.
    package func tables(of schema: Schema) throws(GranaryError) -> [String] {
        try ExportPlan.entities(schema, names: options.entities).map { schema.entities[$0].name }
    }

    /// Exports a store. Nobody else writes to it meanwhile, or what they write is not seen.
    ///
    /// - Throws: ``GranaryError``: `usage` for entities and columns that the model does not have; `refused`, naming
    ///   object and property, for a cell that is no value of its attribute, a reference to nothing, and what the
    ///   writer's format cannot hold.
    @discardableResult
    package func run(
        _ store: any PersistentStore, into writer: some RecordWriter
    ) throws -> ExportReport {
        try store.reading {
            let identifiers = options.identifiers ?? (writer is CSVWriter ? .whereNeeded : .always)
            let plan = try ExportPlan(schema: store.schema, options: options, identifiers: identifiers)
            var report = ExportReport()
            for table in plan.tables {
                let count = try export(table, of: store, into: writer)
                report.tables.append(.init(entity: store.schema.entities[table.entity].name, objects: count))
            }
            try writer.finish(model: try Self.modelText(store.schema))
            return report
        }
    }

    /// The model as JSON, for formats that carry it.
    private static func modelText(_ schema: Schema) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(schema.model))
    }

    private func export(
        _ table: ExportPlan.Table, of store: any PersistentStore, into writer: some RecordWriter
    ) throws -> Int {
        let entity = store.schema.entities[table.entity]
        try writer.beginTable(entity: entity.name, columns: table.columns.map(\.name))
        // A property list has no NULL; elsewhere it costs nothing to say it.
        if let list = writer as? PropertyListWriter { list.columnsNeedingNull = table.columnsNeedingNull }
        var links = TableLinks(table, store: store)
        var count = 0
        try store.read(entities: table.entity..<table.entity + 1, batchSize: options.batchSize) { batch in
            try links.load(batch)
            for row in batch.rows.indices {
                try writer.beginRow()
                for (index, column) in table.columns.enumerated() {
                    do {
                        try write(column, index, row, of: batch, links: &links, store.schema, into: writer)
                    } catch let error as GranaryError {
                        throw error.about(batch, row: row, property: column.name, store.schema)
                    }
                }
                try writer.endRow()
            }
            count += batch.rows.count
            return true
        }
        try writer.endTable()
        return count
    }

    private func write(
        _ column: ExportPlan.Column, _ index: Int, _ row: Int, of batch: borrowing RowBatch, links: inout TableLinks,
        _ schema: Schema, into writer: some RecordWriter
    ) throws {
        switch column.content {
        case .identifier:
            try Self.lend(batch.objectName(row: row, schema)) { try writer.write($0, column: index) }
        case .attribute(let attribute):
            try batch.withCheckedValue(row: row, of: attribute, schema) { try writer.write($0, column: index) }
        case .relationship(let relationship, _) where relationship.isToMany:
            try writer.beginList(column: index)
            while let link = links.nextLink(column: index, owner: batch.rows[row].key) {
                try links.withReference(column: index, entity: link.entity, key: link.destination) {
                    try writer.writeElement($0)
                }
            }
            try writer.endList()
        case .relationship(let relationship, _):
            switch batch[row, relationship.slot] {
            case .null: try writer.write(.null, column: index)
            case .reference(let entity, let key):
                try links.withReference(column: index, entity: Int(entity), key: key) {
                    try writer.write($0, column: index)
                }
            default:
                throw GranaryError(Diagnostic(.storeCorrupt, "the cell is no reference to an object"))
            }
        }
    }

    static func lend<Result>(_ text: String, _ body: (BorrowedValue) throws -> Result) rethrows -> Result {
        var text = text
        return try text.withUTF8 { try body(.text($0)) }
    }
}

extension GranaryError {
    /// The same, its refusal about an object: writers know neither its name nor, in CSV, its property.
    fileprivate func about(
        _ batch: borrowing RowBatch, row: Int, property: String, _ schema: Schema
    ) -> GranaryError {
        guard code == .refused, let first = diagnostics.first else { return self }
        let object = batch.objectName(row: row, schema)
        guard !first.message.hasPrefix(object + ": ") else { return self }
        var copy = batch.refusal(row: row, property: property, schema, first.code, first.message)
        copy.underlying = self
        return copy
    }
}
