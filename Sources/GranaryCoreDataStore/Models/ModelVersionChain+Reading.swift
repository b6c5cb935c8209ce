import Foundation
package import GranaryBase
package import GranaryModel
import GranaryModelFiles

extension ModelVersionChain {
    /// Reads all versions in a folder of versions. Another folder, a file and a store are a chain of one version.
    ///
    /// - Throws: ``GranaryError``: as `ManagedObjectModel.versions(in:)` and `read(path:diagnostics:)`.
    package init(path: String, diagnostics: inout DiagnosticCollector) throws(GranaryError) {
        let url = URL(filePath: path)
        let hasVersions = FileKind(path) == .folder || SwiftSourcePath.isSwift(path)
        let found = hasVersions ? try ManagedObjectModel.versions(in: url) : []
        var versions: [Version] = []
        for version in found {
            let model = try ManagedObjectModel.read(url, version: version.name, diagnostics: &diagnostics)
            versions.append(Version(name: version.name, model: model, isCurrent: version.isCurrent))
        }
        if versions.isEmpty {
            let model = try ManagedObjectModel.read(path: path, diagnostics: &diagnostics).model
            let name = ModelTextFile.modelName(url)
            versions.append(Version(name: name, model: model, isCurrent: true))
        }
        self.init(versions)
    }
}
