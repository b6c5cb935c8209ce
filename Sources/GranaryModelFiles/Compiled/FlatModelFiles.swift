package import Foundation
package import GranaryBase
package import GranaryModel

/// The compiled versions of a model as files of one folder.
///
/// SwiftPM copies each output of a plugin to the top of the target's bundle, so a `.momd` folder cannot be one.
/// `NAME.mom` is the current version, `NAME.versioninfo` has the content of a `VersionInfo.plist`, and
/// `NAME.VERSION.momversion` is one version. The plugin GranaryModelPlugin lists the same names.
package enum FlatModelFiles {
    static let informationSuffix = ".versioninfo"
    static let versionSuffix = ".momversion"

    /// Writes the files of a model. A model without versions is only `NAME.mom`. Existing files are replaced.
    ///
    /// - Parameters:
    ///   - model: the model that was read from `url`: its current version.
    ///   - url: an `.xcdatamodeld` with any number of versions, or another model.
    /// - Throws: ``GranaryError`` as ``ManagedObjectModel/versions(in:)``; `refused` for a version that cannot be read,
    ///   is invalid or cannot be compiled; `uncreatable` or `inputOutput` if a file cannot be written.
    package static func write(
        _ model: ManagedObjectModel, from url: URL, to folder: String
    ) throws(GranaryError) {
        let base = "\(folder)/\(ModelTextFile.modelName(url))"
        try model.write(to: URL(filePath: base + ModelVersion.compiledSuffix), as: .mom, replacing: true)
        let versions = try sources(of: url)
        guard let current = versions.first(where: \.isCurrent) else { return }
        var models: [NamedModel] = []
        for version in versions {
            if version == current {
                models.append(NamedModel(name: version.name, model: model))
            } else {
                models.append(NamedModel(name: version.name, model: try read(version)))
            }
        }
        for file in try MomdFiles.files(models, current: current.name) {
            let version = file.name.dropLast(ModelVersion.compiledSuffix.count)
            let suffix = file.name == VersionInfo.file ? informationSuffix : ".\(version)\(versionSuffix)"
            let output = try ByteOutput.file(base + suffix, replacing: true)
            output.buffer = file.bytes
            try output.finish()
        }
    }

    /// The versions of an `.xcdatamodeld`; none for another model.
    private static func sources(of url: URL) throws(GranaryError) -> [ModelVersion] {
        let path = url.givenPath
        guard path.hasSuffix(".xcdatamodeld"), FileKind(path) == .folder else { return [] }
        return try ManagedObjectModel.versions(in: url).filter { !$0.isCompiled }
    }

    /// Reads a version that is not the current one. Warnings about it are not reported.
    private static func read(_ version: ModelVersion) throws(GranaryError) -> ManagedObjectModel {
        let model = try ManagedObjectModel(contentsOf: URL(filePath: version.path))
        do throws(GranaryError) {
            _ = try model.resolved()
        } catch {
            throw GranaryError(error.code, "\(version.path): \(error.message)", diagnostics: error.diagnostics)
        }
        return model
    }

    /// Returns the versions of a model that was written by ``write(_:from:to:)``, sorted by name; nil if there is no
    /// information about versions beside it.
    ///
    /// - Parameter path: the path of the `.mom` file.
    /// - Throws: ``GranaryError`` with code `refused` if the information is broken or names a file that does not exist.
    static func versions(of path: String) throws(GranaryError) -> [ModelVersion]? {
        guard path.hasSuffix(ModelVersion.compiledSuffix) else { return nil }
        let base = String(path.dropLast(ModelVersion.compiledSuffix.count))
        guard let information = try VersionInfo.read(at: base + informationSuffix) else { return nil }
        var versions: [ModelVersion] = []
        for name in information.hashes.keys.sorted() {
            let place = "\(base).\(name)\(versionSuffix)"
            guard !name.utf8.contains(UInt8(ascii: "/")), FileKind(place) == .file else {
                throw GranaryError(
                    Diagnostic(
                        .modelReference,
                        "\(base)\(informationSuffix): there is no file of the version "
                            + "\"\(Diagnostic.shortened(name))\" beside it"))
            }
            versions.append(
                ModelVersion(
                    name: name, path: place, isCurrent: name == information.currentName, isCompiled: true))
        }
        return versions
    }
}
