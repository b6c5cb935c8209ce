import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// The content of a `.momd` folder: a `.mom` for each version, and the `VersionInfo.plist` with the current version.
///
/// Xcode also adds the current version in a private form (`.omo`), which is optional.
enum MomdFiles {
    /// - Throws: ``GranaryError`` with code `refused` for a model that is invalid or cannot be compiled.
    static func files(
        _ versions: [NamedModel], current: String
    ) throws(GranaryError) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        var hashes: [PropertyListEntry] = []
        var checksums: [PropertyListEntry] = []
        for version in versions.sorted(by: { utf8Less($0.name, $1.name) }) {
            let schema = try version.model.resolved()
            let entries = schema.versionHashes.sorted { utf8Less($0.key, $1.key) }.map { entry in
                PropertyListEntry(entry.key, .data(Array(entry.value)))
            }
            hashes.append(PropertyListEntry(version.name, .dictionary(entries)))
            checksums.append(PropertyListEntry(version.name, .string(schema.checksum)))
            files.append((version.name + ModelVersion.compiledSuffix, try CompiledModelWriter.bytes(of: version.model)))
        }
        let information = PropertyListValue.dictionary([
            PropertyListEntry(VersionInfo.currentNameKey, .string(current)),
            PropertyListEntry(VersionInfo.checksumsKey, .dictionary(checksums)),
            PropertyListEntry(VersionInfo.hashesKey, .dictionary(hashes)),
        ])
        files.append((VersionInfo.file, try PropertyList.write(information, as: .binary)))
        return files
    }
}
