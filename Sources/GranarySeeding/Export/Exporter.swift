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
                let count = try store.writeRecords(
                    of: table, batchSize: options.batchSize, into: writer, cancellation: options.cancellation)
                report.tables.append(.init(entity: store.schema.entities[table.entity].name, objects: count))
            }
            try writer.finish(model: try store.schema.modelText())
            return report
        }
    }
}
