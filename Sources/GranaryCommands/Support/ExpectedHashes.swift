import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore

/// The version hashes of `--expect`: those of a store, or of a JSON document of `granary model hash`.
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
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
            throw GranaryError(
                .refused, "\(path): has no version hashes: it is neither a store nor JSON of granary model hash")
        }
        var hashes: [String: Data] = [:]
        for (name, text) in document.entities {
            guard let hash = Data(base64Encoded: text), hash.count == 32 else {
                throw GranaryError(.refused, "\(path): the hash of \(name) is not 32 bytes in Base64")
            }
            hashes[name] = hash
        }
        return hashes
    }
}
