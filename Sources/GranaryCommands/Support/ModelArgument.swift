import Foundation
package import GranaryBase
package import GranaryModel
import GranaryModelFiles

/// What a user names where a MODEL is asked for: model files and folders; several are merged.
package enum ModelArgument {
    /// - Throws: ``GranaryError``: `unreadable` for a file that is not there, `refused` with every problem for a model that
    ///   is not sound, or models that do not fit together.
    package static func load(_ paths: [String]) throws(GranaryError) -> Schema {
        var warnings = DiagnosticCollector()
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
                throw GranaryError(
                    .refused,
                    "\(path): is a store; reading the model that it carries is not supported yet, name its model")
            }
            models.append(try ManagedObjectModel(contentsOf: URL(filePath: path), diagnostics: &warnings))
        }
        if models.count == 1, let model = models.first { return model }
        return try ManagedObjectModel(merging: models)
    }

    private static func isStore(_ path: String) -> Bool {
        // Opening a pipe would wait for a writer.
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return false }
        return start == Data("SQLite format 3\0".utf8)
    }
}
