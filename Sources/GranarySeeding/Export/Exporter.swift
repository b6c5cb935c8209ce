public import Foundation
package import GranaryBase
public import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
public import GranaryFormats
public import GranaryModel

/// Takes objects out of a store and hands them to a writer: the reverse of the importer.
///
/// ```swift
/// try await Exporter().run(container, to: .file(URL(filePath: "seed.json")))
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
    public private(set) var options: ExportOptions

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
        _ store: any PersistentStore, into writer: some ValueWriter
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
            report.warnings = try Self.strayRows(of: store)
            try writer.finish(model: try store.schema.modelText())
            return report
        }
    }

    /// Exports a store to a destination in the format of the destination.
    ///
    /// - Throws: as ``run(_:into:)``, and ``GranaryError`` with code `usage` or `uncreatable` for the destination.
    package func run(_ store: any PersistentStore, to destination: ExportDestination) throws -> ExportReport {
        try destination.check()
        let format = try destination.resolvedFormat()
        var exporter = self
        exporter.options.identifiers = options.identifiers ?? (format.isDelimited ? .whereNeeded : .always)
        if format == .terms { return try exporter.runTerms(store, to: destination) }
        let tables = try tables(of: store.schema)
        // One entity without subentities was asked for: the document is an array.
        let isOne = Set(options.entities).count == 1 && tables.count == 1
        switch format {
        case .csv, .tsv:
            var csv = format == .tsv ? CSVWriter.Options.tsv : CSVWriter.Options()
            if let nullText = options.nullText { csv.null = nullText }
            (csv.dates, csv.binary) = (options.dates, options.binary)
            if tables.count == 1 {
                return try exporter.run(store, into: CSVWriter(try destination.output(), options: csv))
            }
            return try exporter.run(
                store,
                into: destination.folder(format, tables: tables.count) { [csv] file throws(GranaryError) in
                    try CSVWriter(file, options: csv)
                })
        case .json, .ndjson:
            var json = JSONWriter.Options()
            json.shape = format == .ndjson ? .lines : isOne ? .array : .document
            (json.dates, json.binary) = (options.dates, options.binary)
            if format == .json || tables.count == 1 {
                return try exporter.run(store, into: JSONWriter(try destination.output(), options: json))
            }
            return try exporter.run(
                store,
                into: destination.folder(format, tables: tables.count) { [json] in JSONWriter($0, options: json) })
        case .plist, .terms:
            var list = PropertyListWriter.Options()
            list.shape = isOne ? .array : .document
            list.encoding = options.propertyListEncoding
            return try exporter.run(store, into: PropertyListWriter(try destination.output(), options: list))
        }
    }

    private func runTerms(_ store: any PersistentStore, to destination: ExportDestination) throws -> ExportReport {
        guard let terms = options.terms, let entity = options.entities.first, options.entities.count == 1 else {
            throw GranaryError(.usage, "a constant table needs one entity, its attributes and a delimiter")
        }
        let writer = try TermsWriter(
            try destination.output(), delimiter: terms.delimiter, fieldDelimiter: terms.fieldDelimiter,
            dates: options.dates, binary: options.binary)
        var report = try runTerms(
            store, entity: entity, attributes: terms.attributes, ordinal: terms.ordinal, into: writer)
        report.warnings = try Self.strayRows(of: store)
        return report
    }

    /// A warning for each table with rows that belong to no concrete entity, because they are not exported.
    private static func strayRows(of store: any PersistentStore) throws -> [Diagnostic] {
        try store.strayRows().map { table, count in
            Diagnostic(
                .storeCorrupt,
                "\(table): \(count) row\(count == 1 ? " is" : "s are") of no entity that objects can be of, and not exported; "
                    + "store check tells which", severity: .warning)
        }
    }
}

extension Exporter {
    /// Exports a container's store to a file or folder. Unsaved changes of contexts are not exported.
    ///
    /// - Throws: ``GranaryError``: `usage` for entities and columns that the model does not have, and for a destination
    ///   without a format; `uncreatable` for one that exists and must not be replaced; `refused`, naming object and property,
    ///   for a cell that is not a value of its attribute, a reference to a missing object, and what the format cannot hold;
    ///   `inputOutput` if reading or writing fails; `interrupted` if the task is cancelled. The destination does not exist
    ///   then, or is as it was.
    @discardableResult
    public func run(
        _ container: PersistentContainer, to destination: ExportDestination
    ) async throws -> ExportReport {
        try await cancellable { exporter in
            try container.withStore(forReading: true) { store in try exporter.run(store, to: destination) }
        }
    }

    /// Exports an SQLite store file, which is not changed.
    ///
    /// - Parameter model: nil for the model that the store contains, or else one inferred from its tables; the report then
    ///   contains a warning.
    /// - Throws: as the export of a container, and `unreadable` or `refused` if the file is missing or is not a Core Data store.
    @discardableResult
    public func run(
        store: URL, model: ManagedObjectModel? = nil, to destination: ExportDestination
    ) async throws -> ExportReport {
        try await cancellable { exporter in
            var warnings: [Diagnostic] = []
            let source = try SQLiteStore.openForReading(
                path: store.path(percentEncoded: false), model: model, busyTimeout: .seconds(5), warnings: &warnings)
            source.leavesFiles = true
            var report = try exporter.run(source, to: destination)
            report.warnings = warnings + report.warnings
            return report
        }
    }

    /// Exports a container's store through a writer, which may be of your own. Unsaved changes of contexts are not exported.
    ///
    /// - Throws: as the export to a file, and what the writer throws.
    @discardableResult
    public func run(
        _ container: PersistentContainer, into writer: sending some RecordWriter
    ) async throws -> ExportReport {
        let writer = HandedOver(writer)
        return try await cancellable { exporter in
            try container.withStore(forReading: true) { store in
                try exporter.run(store, into: RowCollector(writer.value))
            }
        }
    }

    /// Runs `body` on a thread of its own with an exporter that stops when the calling task is cancelled.
    private func cancellable(
        _ body: @escaping @Sendable (Exporter) throws -> ExportReport
    ) async throws -> ExportReport {
        try await InBackground.run { cancellation in
            var options = options
            options.cancellation = options.cancellation ?? cancellation
            return try body(Exporter(options: options))
        }
    }
}

/// A value that was sent here and that only one thread uses.
///
/// `@unchecked Sendable` is safe: the value comes from a `sending` parameter.
private struct HandedOver<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: sending Value) { self.value = value }
}
