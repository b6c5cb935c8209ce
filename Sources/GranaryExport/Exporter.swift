public import Foundation
package import GranaryBase
public import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
public import GranaryFormats
public import GranaryModel
package import GranaryRecords

/// Exports the objects of a store, such that an ``Importer`` can build an equal store from them.
///
/// ```swift
/// try await Exporter().run(container, to: .file(URL(filePath: "seed.json")))
/// ```
///
/// An export reads the store in batches of rows, in one pass for each concrete entity. The entities are in the order of
/// their numbers. The objects of an entity are in the order of their primary keys unless the options sort them. For
/// each batch, the export reads the links and the keys of the destinations, and passes the values to a writer. Memory
/// contains one batch. The same store gives the same calls in the same order.
///
/// By default these columns are exported:
/// - all persistent attributes except derived ones, which the new store computes again;
/// - all to-one relationships;
/// - the to-many relationships that their inverse does not determine: those without an inverse, the ordered ones, and
///   of two unordered to-many relationships that are inverses of each other, the one whose entity has the lower number
///   (then by name).
public struct Exporter: Sendable {
    /// The options.
    public private(set) var options: ExportOptions

    /// Creates an exporter; by default for all entities and all columns that a new store needs.
    public init(options: ExportOptions = ExportOptions()) { self.options = options }

    /// The entities that are exported, in the order of writing.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for unknown entities.
    package func tables(of schema: Schema) throws(GranaryError) -> [String] {
        try ExportPlan.groups(schema, options).map { schema.entities[$0.entity].name }
    }

    /// Exports a store through a writer. The export reads one state of the store.
    ///
    /// - Parameters:
    ///   - files: receives the values that are written to files of their own.
    /// - Returns: the counts, with a warning for each attribute with numbers that it cannot have.
    /// - Throws: ``GranaryError``: `usage` for unknown entities and columns; `refused`, with object and property, for
    ///   an invalid value, a reference to a missing object, and a value that the format cannot represent.
    @discardableResult
    package func run(
        _ store: any StoreBackend, into writer: some ValueWriter, files: ValueFolder? = nil
    ) throws -> ExportReport {
        try store.reading {
            let identifiers = options.identifiers ?? (writer is CSVWriter ? .whereNeeded : .always)
            let plan = try ExportPlan(schema: store.schema, options: options, identifiers: identifiers)
            let missing = MissingExternalFiles()
            let source = options.missingFiles == .null ? store as? any ExternalFileReading : nil
            source?.missingFiles = missing
            defer { source?.missingFiles = nil }
            let irregular = IrregularValues()
            let nested =
                options.nested.isEmpty
                ? nil
                : NestedRecords(
                    plan.tables, store, repeats: options.repeatsNested, irregular: irregular,
                    cancellation: options.cancellation)
            var report = ExportReport()
            // The number of rows by entity, for tables of all objects of one entity.
            var read: [Int: Int] = [:]
            for table in plan.tables {
                let count = try store.writeRecords(
                    of: table, batchSize: options.batchSize, into: writer, files: files, irregular: irregular,
                    nested: nested, cancellation: options.cancellation)
                if table.search.isPlain, table.search.entities.count == 1, nested == nil { read[table.entity] = count }
                report.tables.append(.init(entity: store.schema.entities[table.entity].name, objects: count))
            }
            report.nested = nested?.count ?? 0
            report.expressions = plan.tables.flatMap(\.columns).filter(\.isExpression).map(\.name)
            report.warnings =
                try store.strayRowWarnings(read: read) + Self.lostLinks(of: store, plan) + missing.diagnostics
                + irregular.diagnostics
            try writer.finish(model: try store.schema.modelText())
            return report
        }
    }

    /// Warnings about links that no record has: those that lead from no object, and references that an omitted inverse
    /// does not have. Links to no object are exported like others.
    private static func lostLinks(of store: any StoreBackend, _ plan: ExportPlan) throws -> [Diagnostic] {
        // A selection leaves out links anyway.
        guard plan.tables.allSatisfy(\.search.isPlain) else { return [] }
        var known: Set<LinkLayout.ID> = []
        var warnings: [Diagnostic] = []
        for relationship in plan.omitted where known.insert(LinkLayout.ID(relationship)).inserted {
            let count = try store.oneSidedReferences(of: relationship)
            guard count > 0 else { continue }
            warnings.append(
                Diagnostic(
                    .relationshipNotFound,
                    "\(count) reference\(count == 1 ? "" : "s") that the inverse does not have "
                        + "\(count == 1 ? "was" : "were") not exported; export without --omit-inverses",
                    severity: .warning, entity: store.schema.entities[relationship.owner].name,
                    property: relationship.name))
        }
        for column in plan.tables.flatMap(\.columns) {
            guard case .relationship(let relationship, _) = column.content, relationship.isToMany,
                known.insert(LinkLayout.ID(relationship)).inserted
            else { continue }
            var count = 0
            try store.readBrokenLinks(of: relationship) { if $0.lacksOwner { count += 1 } }
            guard count > 0 else { continue }
            warnings.append(
                Diagnostic(
                    .relationshipNotFound,
                    "\(count) link\(count == 1 ? "" : "s") of objects that do not exist \(count == 1 ? "was" : "were") "
                        + "not exported; a store check lists them",
                    severity: .warning, entity: store.schema.entities[relationship.owner].name,
                    property: relationship.name))
        }
        return warnings
    }
}

extension Exporter {
    /// Exports a container's store to a file or folder. Unsaved changes of contexts are not exported.
    ///
    /// - Throws: ``GranaryError``: `usage` for unknown entities and columns, and for a destination without a format;
    ///   `uncreatable` if the destination exists and must not be replaced; `refused`, with object and property, for an
    ///   invalid value, a reference to a missing object, and a value that the format cannot represent; `inputOutput` if
    ///   reading or writing fails; `interrupted` if the task is cancelled. The destination is then unchanged.
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
    /// - Parameter model: the model of the store. Nil: the model that the store contains, or one that is inferred from
    ///   its tables with a warning in the report.
    /// - Throws: as the export of a container; also `unreadable` if the file is missing, `refused` if it is not a Core
    ///   Data store.
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

    /// Exports a container's store through any writer. Unsaved changes of contexts are not exported.
    ///
    /// - Throws: as the export to a file, and the errors of the writer.
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

    /// Runs `body` on a separate thread with an exporter that stops when the calling task is cancelled.
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

/// A value that is passed to another thread.
///
/// `@unchecked Sendable` is safe because the value comes from a `sending` parameter, so only one thread uses it.
private struct HandedOver<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: sending Value) { self.value = value }
}
