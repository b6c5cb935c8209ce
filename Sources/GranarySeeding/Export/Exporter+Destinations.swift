public import Foundation
import GranaryBase
public import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
public import GranaryFormats
public import GranaryModel

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
