import Foundation
package import GranaryModel
import GranaryModelFiles
package import TestSupport
import Testing

/// A store that Core Data wrote, and the source of its model.
package struct RealStore: Sendable, CustomTestStringConvertible {
    package let path: String
    package let frameworkVersion: Int
    /// The path of the model below `coredata/models`; nil if only the store contains it.
    package let modelPath: String?

    package var testDescription: String { path }

    /// The stores in `coredata/stores/MANIFEST.tsv`.
    package static let all: [RealStore] = {
        guard let manifest = try? SharedFiles.url("coredata/stores/MANIFEST.tsv"),
            let text = try? String(contentsOf: manifest, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 10, let version = Int(fields[7]) else { return nil }
            let folder = fields[0].replacing("/", with: "__")
            return RealStore(
                path: "coredata/stores/\(folder)/\(fields[3])", frameworkVersion: version,
                modelPath: fields[9].isEmpty ? nil : "coredata/models/\(fields[9])")
        }
    }()

    /// The stores that contain their model: Core Data writes it from this framework on.
    package static let withCaches = all.filter { $0.frameworkVersion >= 637 }

    /// Every third store in `make test`, all with `GRANARY_STORES=all`.
    package static let chosen = all.enumerated().filter { TestDepth.usesAllStores || $0.offset % 3 == 0 }.map(\.element)

    package static let chosenWithCaches = chosen.filter { $0.frameworkVersion >= 637 }

    package static let withModels = all.filter { $0.modelPath != nil }

    package func schema() throws -> Schema? {
        guard let modelPath else { return nil }
        return try ManagedObjectModel(contentsOf: try SharedFiles.url(modelPath)).resolved()
    }

    /// A copy of the store with its write-ahead log. Reading may change the files.
    package func copy(to folder: TemporaryFolder) throws -> String {
        let source = try SharedFiles.url(path)
        let target = folder.url.appending(path: source.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
        }
        return target.path
    }
}
