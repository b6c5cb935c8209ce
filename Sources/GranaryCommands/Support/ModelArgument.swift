import Foundation
package import GranaryBase
package import GranaryModel
import GranaryModelFiles
import GranaryPersistence

/// What a user names where a MODEL is asked for: model files and folders, and stores that carry their model; several are
/// merged.
package enum ModelArgument {
    /// Warnings about the model's files are printed to standard error.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a file that is not there, `refused` with every problem for a model that
    ///   is not sound, models that do not fit together, or a store that carries none.
    package static func load(_ paths: [String]) throws(GranaryError) -> Schema {
        var warnings = DiagnosticCollector()
        defer {
            CommandOutput.log(warnings.diagnostics, count: warnings.count, limit: DiagnosticOptions.defaultLimit)
        }
        return try read(paths, warnings: &warnings).resolved()
    }

    /// The model before it is checked as a whole.
    ///
    /// - Parameter warnings: takes what is worth knowing about the files.
    package static func read(
        _ paths: [String], warnings: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        var models: [ManagedObjectModel] = []
        for path in paths {
            if isStore(path) {
                models.append(try carriedModel(of: path, &warnings))
                continue
            }
            models.append(try ManagedObjectModel(contentsOf: URL(filePath: path), diagnostics: &warnings))
        }
        if models.count == 1, let model = models.first { return model }
        return try ManagedObjectModel(merging: models)
    }

    /// One model, and whether it is a compiled one, be it a file or inside a store.
    package static func readOne(
        _ path: String, warnings: inout DiagnosticCollector
    ) throws(GranaryError) -> (model: ManagedObjectModel, isCompiled: Bool) {
        guard isStore(path) else { return try ManagedObjectModel.read(URL(filePath: path), diagnostics: &warnings) }
        return (try carriedModel(of: path, &warnings), true)
    }

    private static func carriedModel(
        of path: String, _ warnings: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        guard let model = try StoreModel.cachedModel(path: path, diagnostics: &warnings) else {
            throw GranaryError(
                .refused,
                "\(path): is a store that carries no model (Z_MODELCACHE); one that is inferred from tables is for reading "
                    + "the store only")
        }
        return model
    }

    private static func isStore(_ path: String) -> Bool {
        // Opening a pipe would wait for a writer.
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return false }
        return start == Data("SQLite format 3\0".utf8)
    }
}
