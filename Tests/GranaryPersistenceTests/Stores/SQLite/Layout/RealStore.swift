import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// A store that Core Data wrote, and where its model can be had from.
struct RealStore: Sendable, CustomTestStringConvertible {
    let path: String
    let frameworkVersion: Int
    /// Below `coredata/models`; nil where the model is known from the store alone.
    let modelPath: String?

    var testDescription: String { path }

    /// Those of `coredata/stores/MANIFEST.tsv`.
    static let all: [RealStore] = {
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

    /// Those that carry their model: Core Data puts it into stores since this framework.
    static let withCaches = all.filter { $0.frameworkVersion >= 637 }

    static let withModels = all.filter { $0.modelPath != nil }

    func schema() throws -> Schema? {
        guard let modelPath else { return nil }
        return try ManagedObjectModel(contentsOf: try SharedFiles.url(modelPath)).resolved()
    }

    /// A copy with its write-ahead log: reading alone may change the files.
    func copy(to folder: TemporaryFolder) throws -> String {
        let source = try SharedFiles.url(path)
        let target = folder.url.appending(path: source.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
        }
        return target.path
    }
}
