import GranaryBase
import GranaryPropertyLists

/// One version of a versioned model, as an `.xcdatamodeld` folder holds it.
package struct ModelVersion: Sendable, Hashable {
    /// The name without `.xcdatamodel`.
    package var name: String
    package var path: String
    /// Whether `.xccurrentversion` names it.
    package var isCurrent: Bool

    static let suffix = ".xcdatamodel"
    static let currentVersionFile = ".xccurrentversion"
    static let currentVersionKey = "_XCCurrentVersionName"

    /// The versions in a folder, sorted by name; the current one marked.
    ///
    /// Where `.xccurrentversion` is absent or empty (5 of 116 public ones), the first by name counts: an only version
    /// has no need of the file, and Xcode names the first `Model`, the next `Model 2`.
    static func all(in folder: String, names: [String]) throws(GranaryError) -> [ModelVersion] {
        var versions = names.filter { $0.hasSuffix(suffix) && $0.utf8.count > suffix.utf8.count }.map { name in
            ModelVersion(name: String(name.dropLast(suffix.count)), path: "\(folder)/\(name)", isCurrent: false)
        }
        versions.sort { $0.name < $1.name }
        guard let current = try currentName(in: folder, names: names) else {
            if !versions.isEmpty { versions[0].isCurrent = true }
            return versions
        }
        guard let index = versions.firstIndex(where: { $0.name + suffix == current }) else {
            let there = versions.isEmpty ? "no version" : versions.map { $0.name + suffix }.joined(separator: ", ")
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(folder)/\(currentVersionFile): the current version is \"\(Diagnostic.shortened(current))\", "
                        + "but the folder holds \(there)"))
        }
        versions[index].isCurrent = true
        return versions
    }

    /// The version that counts; nil for a folder that is no versioned model.
    static func current(in folder: String, names: [String]) throws(GranaryError) -> ModelVersion? {
        let versions = try all(in: folder, names: names)
        if versions.isEmpty, folder.hasSuffix(".xcdatamodeld") {
            throw GranaryError(Diagnostic(.modelReference, "\(folder): holds no version (a folder .xcdatamodel)"))
        }
        return versions.first(where: \.isCurrent)
    }

    private static func currentName(in folder: String, names: [String]) throws(GranaryError) -> String? {
        guard names.contains(currentVersionFile) else { return nil }
        let path = "\(folder)/\(currentVersionFile)"
        guard FileKind(path) == .file else { throw GranaryError(.unreadable, "\(path): is no file") }
        let bytes = try ByteSource(path: path).readAll(limit: 1 << 20)
        let list = try PropertyList.read(bytes, source: path)
        guard list.dictionary != nil else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): is a property list, but no dictionary"))
        }
        guard let name = list[currentVersionKey] else { return nil }
        guard let text = name.string else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): \(currentVersionKey) is no text"))
        }
        return text
    }
}
