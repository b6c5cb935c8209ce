import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// The version hashes of `--expect`: those of a store, of a lock, or of a JSON document of `granary model hash`.
enum ExpectedHashes {
    private struct Document: Decodable {
        let entities: [String: String]
    }

    /// - Throws: ``GranaryError``: `unreadable` for a missing file; `refused` if it has no hashes.
    static func read(_ path: String, schema: String?) throws(GranaryError) -> [String: Data] {
        let bytes = try ByteSource(path: path).readAll(limit: 1 << 30)
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            return try StoreGlance(path: path, busyTimeout: .seconds(5)).metadata.versionHashes
        }
        if let lock = try? JSONDecoder().decode(SchemaLock.self, from: Data(bytes)) {
            return try hashes(try version(of: lock, schema: schema, path).entities.mapValues(\.hash), path)
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
            throw GranaryError(
                .refused,
                "\(path): has no version hashes: it is neither a store, nor a lock, nor JSON of granary model hash")
        }
        return try hashes(document.entities, path)
    }

    /// The frozen version of the schema, or the only one.
    private static func version(
        of lock: SchemaLock, schema: String?, _ path: String
    ) throws(GranaryError) -> SchemaLock.Version {
        if let schema, let version = lock.versions[schema] { return version }
        if schema == nil, lock.versions.count == 1, let version = lock.versions.values.first { return version }
        let names = lock.versions.keys.sorted()
        throw GranaryError(
            .refused, "\(path): which of the frozen versions is expected? It has \(names.joined(separator: ", "))",
            help: "--schema NAME")
    }

    private static func hashes(_ texts: [String: String], _ path: String) throws(GranaryError) -> [String: Data] {
        var hashes: [String: Data] = [:]
        for (name, text) in texts {
            guard let hash = Data(base64Encoded: text), hash.count == 32 else {
                throw GranaryError(.refused, "\(path): the hash of \(name) is not 32 bytes in Base64")
            }
            hashes[name] = hash
        }
        return hashes
    }
}
