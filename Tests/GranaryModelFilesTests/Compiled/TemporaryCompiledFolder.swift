import Foundation
import GranaryPropertyLists
import TestSupport

@testable import GranaryModelFiles

/// A `.momd` whose versions hold one entity named as the version.
struct TemporaryCompiledFolder {
    let folder: TemporaryFolder
    let url: URL

    init(versions: [String], current: String?, hashes: [PropertyListEntry] = []) throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "M.momd")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for version in versions {
            var samples = CompiledSamples()
            let entity = samples.entity(version.replacing(" ", with: ""))
            let bytes = samples.bytes([(version.replacing(" ", with: ""), entity)])
            try Data(bytes).write(to: url.appending(path: version + ".mom"))
        }
        var entries: [PropertyListEntry] = []
        if let current {
            entries = [
                PropertyListEntry("NSManagedObjectModel_CurrentVersionName", .string(current)),
                PropertyListEntry(
                    "NSManagedObjectModel_VersionHashes",
                    .dictionary(hashes.isEmpty ? [] : [PropertyListEntry(current, .dictionary(hashes))])),
            ]
        }
        let info = try PropertyList.write(.dictionary(entries), as: .binary)
        try Data(info).write(to: url.appending(path: "VersionInfo.plist"))
    }
}
