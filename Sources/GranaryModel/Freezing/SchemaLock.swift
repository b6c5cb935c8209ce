public import Foundation
public import GranaryBase

/// The released versions of a model, frozen: what version hashes depend on, and the hashes.
///
/// A store of a released version can only be opened, or migrated in stages, while that version still has the hashes with
/// which the store was written. A lock is a JSON file that is kept beside the sources; a test compares it
/// (``changes(in:)``).
///
/// ```swift
/// let chain = ModelVersionChain([.init(name: "V1", model: model)])
/// let lock = try SchemaLock(chain)
/// for change in lock.changes(in: chain) { print(change) }
/// ```
public struct SchemaLock: Sendable, Hashable, Codable {
    /// A frozen version.
    public struct Version: Sendable, Hashable, Codable {
        /// The version identifiers of the model.
        public var identifiers: [String]
        /// `NSStoreModelVersionChecksumKey`.
        public var checksum: String
        /// `NSStoreModelVersionHashesDigest`.
        public var digest: String
        /// The entities by name.
        public var entities: [String: Entity]
    }

    /// A frozen entity.
    public struct Entity: Sendable, Hashable, Codable {
        /// The version hash, 32 bytes in Base64.
        public var hash: String
        /// What the hash depends on beside the properties: `abstract`, `parent`, `modifier` and `constraints`.
        public var facts: [String: String]
        /// The properties by name, each with what the hash depends on: `type`, `optional`, `to`, `inverse` and so on; an
        /// element of a composite as `.element`.
        public var properties: [String: [String: String]]
    }

    /// The format of the file.
    public private(set) var granarySchemaLock = 1
    /// The frozen versions by name.
    public var versions: [String: Version]

    /// Freezes all versions.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if a version has problems, and so no hashes.
    public init(_ chain: ModelVersionChain) throws(GranaryError) {
        versions = [:]
        for version in chain.versions { versions[version.name] = try Version(version.model) }
    }

    /// The largest file that is read, in bytes.
    private static let limit = 64 << 20

    /// Reads a lock.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the file cannot be read, `refused` if it is not a lock.
    public init(contentsOf url: URL) throws(GranaryError) {
        let path = url.path(percentEncoded: false)
        let bytes = try ByteSource(path: path).readAll(limit: Self.limit)
        guard let lock = try? JSONDecoder().decode(SchemaLock.self, from: Data(bytes)), lock.granarySchemaLock == 1
        else {
            throw GranaryError(.refused, "\(path): is not a lock of granary model freeze")
        }
        self = lock
    }

    /// The text of the file: JSON with sorted keys, so that a change is a small difference.
    ///
    /// - Throws: ``GranaryError`` with code `internalDefect` if it cannot be encoded.
    public func text() throws(GranaryError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        } catch {
            throw GranaryError(.internalDefect, "a lock cannot be encoded: \(error)", underlying: error)
        }
    }

    /// The frozen versions that a model no longer has as they were, with each difference. Versions that are not frozen
    /// are not compared; if both have one version, its name does not matter.
    public func changes(in chain: ModelVersionChain) -> [SchemaLockChange] {
        let only = versions.count == 1 && chain.versions.count == 1 ? chain.versions.first : nil
        return versions.sorted { NaturalOrder.less($0.key, $1.key) }.flatMap { name, frozen in
            guard let version = chain.versions.first(where: { $0.name == name }) ?? only else {
                return [
                    SchemaLockChange(version: name, entity: nil, property: nil, what: "is frozen and no longer exists")
                ]
            }
            return Self.changes(name, frozen, version.model)
        }
    }

    private static func changes(_ name: String, _ frozen: Version, _ model: ManagedObjectModel) -> [SchemaLockChange] {
        do {
            return frozen.changes(to: try Version(model), version: name)
        } catch {
            return [SchemaLockChange(version: name, entity: nil, property: nil, what: error.message)]
        }
    }
}
