import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// What `VersionInfo.plist` says of the versions in a `.momd` folder.
struct VersionInfo {
    static let file = "VersionInfo.plist"
    static let currentNameKey = "NSManagedObjectModel_CurrentVersionName"
    static let hashesKey = "NSManagedObjectModel_VersionHashes"
    static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    /// The name of the current version; absent in old folders of one version.
    var currentName: String?
    /// The version hash of each entity, by the names of version and entity.
    var hashes: [String: [String: [UInt8]]] = [:]
    /// The checksum of each version; Xcode before 15 has none.
    var checksums: [String: String] = [:]

    /// - Returns: nil where there is no such file.
    /// - Throws: ``GranaryError`` with code `refused` where it is no dictionary, or names the current version by
    ///   something else than text.
    static func read(in folder: String) throws(GranaryError) -> VersionInfo? {
        let path = "\(folder)/\(file)"
        switch FileKind(path) {
        case .missing: return nil
        case .file: break
        case .folder, .special: throw GranaryError(.unreadable, "\(path): is no file")
        }
        let bytes = try ByteSource(path: path).readAll(limit: 16 << 20)
        let list = try PropertyList.read(bytes, source: path, limits: ModelArchive.limits)
        guard list.dictionary != nil else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): is a property list, but no dictionary"))
        }
        var info = VersionInfo()
        if let current = list[currentNameKey] {
            guard let text = current.string else {
                throw GranaryError(
                    Diagnostic(.modelSyntax, "\(path): \(currentNameKey) is no text"))
            }
            info.currentName = text
        }
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

    /// A warning for each entity whose hash is another one in the model as it was read.
    ///
    /// That Core Data's own hash comes out is the proof that nothing was misread. Nothing is said of a model that
    /// ``ManagedObjectModel/resolved()`` refuses, whose user will hear of that.
    func differences(from model: ManagedObjectModel, version: String) -> [Diagnostic] {
        guard let expected = hashes[version], let schema = try? model.resolved() else { return [] }
        var differences: [Diagnostic] = []
        for name in Set(expected.keys).union(schema.versionHashes.keys).sorted() {
            let message: String
            switch (expected[name], schema.versionHashes[name]) {
            case (let hash?, let own?) where hash.elementsEqual(own): continue
            case (_?, _?): message = "\(Self.file) has another version hash than the compiled model comes to"
            case (_?, nil): message = "\(Self.file) has an entity that the compiled model has not"
            default: message = "\(Self.file) has no version hash for this entity"
            }
            differences.append(Diagnostic(.modelConflict, message, severity: .warning, entity: name))
        }
        if differences.isEmpty, let checksum = checksums[version], checksum != schema.checksum {
            differences.append(
                Diagnostic(
                    .modelConflict, "\(Self.file) has another checksum than the compiled model comes to",
                    severity: .warning))
        }
        return differences
    }
}
