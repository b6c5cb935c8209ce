import Foundation
import GranaryModel
import GranaryPropertyLists

/// The version hashes of the models and stores found, to match them.
struct KnownHashes {
    typealias Hashes = [String: Data]

    private var models: [Hashes: ManagedObjectModel] = [:]
    private var stores: Set<Hashes> = []

    mutating func addStore(at path: String) {
        if let hashes = try? PlainStore(path: path).versionHashes(), !hashes.isEmpty { stores.insert(hashes) }
    }

    mutating func add(_ model: ManagedObjectModel, _ hashes: Hashes) { models[hashes] = model }

    func model(for hashes: Hashes) -> ManagedObjectModel? { models[hashes] }

    /// Whether a model has the hashes that Core Data computed for it.
    ///
    /// The `VersionInfo.plist` beside a compiled model decides; without one, a store with the same hashes. A store with
    /// other hashes proves nothing, since it may belong to another version.
    func answer(for hashes: Hashes, ofModel path: String) -> ModelFigures.HashAnswer {
        if let noted = Self.versionInfo(beside: path) { return noted == hashes ? .equal : .different }
        return stores.contains(hashes) ? .equal : .unknown
    }

    private static func versionInfo(beside path: String) -> Hashes? {
        let file = URL(filePath: path)
        let list = file.deletingLastPathComponent().appending(path: "VersionInfo.plist").path(percentEncoded: false)
        guard let bytes = FileManager.default.contents(atPath: list),
            let info = try? PropertyList.read(Array(bytes), source: list),
            let version = info["NSManagedObjectModel_VersionHashes"]?[file.deletingPathExtension().lastPathComponent]
        else { return nil }
        return Self.hashes(in: version)
    }

    /// The hashes in a dictionary of entity names and 32 bytes each.
    static func hashes(in list: PropertyListValue) -> Hashes {
        var hashes: Hashes = [:]
        for entry in list.dictionary ?? [] {
            if let bytes = entry.value.data { hashes[entry.key] = Data(bytes) }
        }
        return hashes
    }
}
