import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// The content of `VersionInfo.plist`, which describes the versions in a `.momd` folder.
struct VersionInfo {
    static let file = "VersionInfo.plist"
    static let currentNameKey = "NSManagedObjectModel_CurrentVersionName"
    static let hashesKey = "NSManagedObjectModel_VersionHashes"
    static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    /// The name of the current version; nil in old folders with one version.
    var currentName: String?
    /// The version hash of each entity, by the version's name and the entity's name.
    var hashes: [String: [String: [UInt8]]] = [:]
    /// The checksum of each version; Xcode before version 15 writes none.
    var checksums: [String: String] = [:]

    /// - Returns: nil if there is no such file.
    /// - Throws: ``GranaryError`` with code `refused` if it is not a dictionary, or the current version's name is not
    ///   text.
    static func read(in folder: String) throws(GranaryError) -> VersionInfo? { try read(at: "\(folder)/\(file)") }

    /// As ``read(in:)``, for a file of another name.
    static func read(at path: String) throws(GranaryError) -> VersionInfo? {
        switch FileKind(path) {
        case .missing: return nil
        case .file: break
        case .folder, .special: throw GranaryError(.unreadable, "\(path): is not a file")
        }
        let list = try PropertyList.read(
            try ByteSource(path: path).readAll(limit: 16 << 20), source: path, limits: ModelArchive.limits)
        var info = VersionInfo()
        info.currentName = try text(currentNameKey, in: list, path)
        for version in list[hashesKey]?.dictionary ?? [] {
            var entities: [String: [UInt8]] = [:]
            for entity in version.value.dictionary ?? [] { entities[entity.key] = entity.value.data }
            info.hashes[version.key] = entities
        }
        for version in list[checksumsKey]?.dictionary ?? [] {
            info.checksums[version.key] = version.value.string
        }
        return info
    }

    /// The text of a key; nil without the key.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if `list` is not a dictionary or the value is not text.
    static func text(
        _ key: String, in list: PropertyListValue, _ path: String
    ) throws(GranaryError) -> String? {
        guard list.dictionary != nil else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): is a property list, but not a dictionary"))
        }
        guard let value = list[key] else { return nil }
        guard let text = value.string else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): \(key) is not text"))
        }
        return text
    }

    /// Returns a warning for each entity whose hash differs from the hash of the model that was read.
    ///
    /// Equal hashes prove that the model was read correctly. A model that ``ManagedObjectModel/resolved()`` refuses
    /// gets no warning, since the user sees that error.
    func differences(from model: ManagedObjectModel, version: String) -> [Diagnostic] {
        guard let expected = hashes[version], let schema = try? model.resolved() else { return [] }
        var differences: [Diagnostic] = []
        for name in Set(expected.keys).union(schema.versionHashes.keys).sorted() {
            let message: String
            switch (expected[name], schema.versionHashes[name]) {
            case (let hash?, let own?) where hash.elementsEqual(own): continue
            case (_?, _?): message = "\(Self.file) has a version hash that differs from the compiled model"
            case (_?, nil): message = "\(Self.file) has an entity that the compiled model lacks"
            default: message = "\(Self.file) has no version hash for this entity"
            }
            differences.append(Diagnostic(.modelConflict, message, severity: .warning, entity: name))
        }
        if differences.isEmpty, let checksum = checksums[version], checksum != schema.checksum {
            differences.append(
                Diagnostic(
                    .modelConflict, "\(Self.file) has a checksum that differs from the compiled model",
                    severity: .warning))
        }
        return differences
    }
}
