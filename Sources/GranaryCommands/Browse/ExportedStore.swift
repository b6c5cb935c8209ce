import GranaryBase
import GranaryCoordination
import GranaryImport
import GranaryModel
import GranaryRecords

/// A property list of `granary export`, restored as a store in memory. Unlike an archive store it has no metadata, so the
/// reader of archives refuses it.
enum ExportedStore {
    /// - Parameter model: nil for the model in the file.
    /// - Returns: nil if the file is no export with several entities.
    /// - Throws: ``GranaryError`` with code `refused` and the diagnostics of the import.
    static func restore(_ path: String, model: ManagedObjectModel?) throws -> (any StoreBackend)? {
        var source = SourceOptions()
        // Stores can contain U+0000.
        source.allowsNUL = true
        let file = ImportSource.file(path: path, options: source)
        guard let content = try DocumentContent(file) else { return nil }
        guard let schema = try model?.resolved() ?? content.decodedModel()?.model.resolved() else {
            throw GranaryError(.refused, "\(path): the export contains no model", help: "--model MODEL")
        }
        var options = ImportOptions()
        // What is shown is what the file has, also where it breaks rules of the model.
        options.restoresAsIs = true
        options.restoresParts = true
        var run = ImportRunOptions()
        run.keepsLedger = false
        run.cancellation = Cancellation.current
        let store = InMemoryStore(schema: schema)
        let report = try Importer(jobs: [ImportJob(entity: nil, sources: [file], options: options)], run: run).run(
            into: store)
        guard !report.isRefused else {
            throw GranaryError(
                .refused, "\(path): the export cannot be restored as a store",
                diagnostics: report.diagnostics.filter { $0.severity == .error })
        }
        return store
    }
}
