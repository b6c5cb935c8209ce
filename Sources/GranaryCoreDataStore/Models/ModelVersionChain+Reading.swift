import Foundation
package import GranaryBase
package import GranaryModel
import GranaryModelFiles

extension ModelVersionChain {
    /// Reads all versions in a folder of versions. Another folder, a file and a store are a chain of one version.
    ///
    /// - Throws: ``GranaryError``: as `ManagedObjectModel.versions(in:)` and `read(path:diagnostics:)`.
    ///
    /// - Parameter only: the names of the versions that are read; empty for all.
    package init(
        path: String, only: [String] = [], diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) {
        let url = URL(filePath: path)
        let hasVersions = FileKind(path) == .folder || SwiftSourcePath.isSwift(path)
        let found = hasVersions ? try ManagedObjectModel.versions(in: url) : []
        var versions: [Version] = []
        for version in found where only.isEmpty || only.contains(version.name) {
            let model = try ManagedObjectModel.read(url, version: version.name, diagnostics: &diagnostics)
            versions.append(Version(name: version.name, model: model, isCurrent: version.isCurrent))
        }
        if let name = only.first(where: { name in !found.isEmpty && !found.contains { $0.name == name } }) {
            throw GranaryError(
                .usage,
                "\(path): there is no version \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: found.map(\.name)) + "; it has "
                    + found.map(\.name).joined(separator: ", "))
        }
        if versions.isEmpty {
            let model = try ManagedObjectModel.read(path: path, diagnostics: &diagnostics).model
            let name = ModelTextFile.modelName(url)
            versions.append(Version(name: name, model: model, isCurrent: true))
        }
        self.init(versions)
    }
}
