package import GranaryBase
import GranaryCoreDataStore
package import GranaryModel
import GranaryPostgreSQL

/// The values of MODEL arguments: model files, model folders, and stores that contain their model; several are merged.
package enum ModelArgument {
    /// Reads and checks the model. Warnings about its files are printed to standard error.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a missing file; `refused` with every problem of the model, for
    ///   models that contradict each other, and for a store that contains none.
    package static func load(_ paths: [String]) throws(GranaryError) -> Schema { try read(paths).resolved() }

    /// Reads the model without checking it as a whole. Warnings about its files are printed to standard error.
    package static func read(_ paths: [String]) throws(GranaryError) -> ManagedObjectModel {
        var warnings = DiagnosticCollector()
        defer { log(warnings) }
        guard paths.contains(where: ConnectionText.isConnection) else {
            return try ManagedObjectModel(paths: paths, diagnostics: &warnings)
        }
        var models: [ManagedObjectModel] = []
        for path in paths where ConnectionText.isConnection(path) { models.append(try PostgreSQLStores.model(path)) }
        let files = paths.filter { !ConnectionText.isConnection($0) }
        if !files.isEmpty { models.append(try ManagedObjectModel(paths: files, diagnostics: &warnings)) }
        return models.count == 1 ? models[0] : try ManagedObjectModel(merging: models)
    }

    /// As ``read(_:)``; nil without paths.
    package static func readIfGiven(_ paths: [String]) throws(GranaryError) -> ManagedObjectModel? {
        paths.isEmpty ? nil : try read(paths)
    }

    package static func log(_ warnings: DiagnosticCollector) {
        CommandOutput.log(warnings.diagnostics, count: warnings.count, limit: DiagnosticOptions.defaultLimit)
    }
}
