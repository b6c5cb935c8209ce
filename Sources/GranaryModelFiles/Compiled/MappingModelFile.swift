package import Foundation
package import GranaryBase
import GranaryPropertyLists

/// The entity mappings of a compiled mapping model of Core Data (`.cdm`).
///
/// The file identifies the two versions of a model only by the version hashes of their entities. The mappings of
/// properties are not read: they are expressions that Core Data evaluates in a migration.
package struct MappingModelFile: Sendable {
    /// The mapping of one entity. An added entity has no source, a removed one no destination.
    package struct EntityMapping: Sendable, Hashable {
        /// The name of the entity in the older version.
        package let sourceEntity: String?
        /// The name of the entity in the newer version.
        package let destinationEntity: String?
        /// The version hash of the source entity; nil without a source entity.
        package let sourceHash: Data?
        /// The version hash of the destination entity; nil without a destination entity.
        package let destinationHash: Data?
        /// The name of the class derived from `NSEntityMigrationPolicy`; nil for Core Data's own.
        package let policyClassName: String?
    }

    /// The entity mappings in the order of the file, at least one.
    package let entityMappings: [EntityMapping]
    /// The version hashes of the source entities, by name.
    package let sourceHashes: [String: Data]
    /// The version hashes of the destination entities, by name.
    package let destinationHashes: [String: Data]

    /// Reads a file, a binary or XML archive.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` if the file is missing or a folder; with code `refused` and a
    ///   diagnostic if it is not a keyed archive of a mapping model, is inconsistent, or exceeds a limit.
    package init(path: String) throws(GranaryError) {
        switch FileKind(path) {
        case .missing: throw GranaryError(.unreadable, "\(path): there is no such file")
        case .folder:
            throw GranaryError(.unreadable, "\(path): is a folder; name a compiled mapping model (.cdm), a file")
        case .special: throw GranaryError(.unreadable, "\(path): is neither a file nor a folder")
        case .file: break
        }
        try self.init(try ByteSource(path: path).readAll(limit: ModelArchive.bytes), source: path)
    }

    /// Reads the bytes of a file; messages name it `source`.
    ///
    /// - Throws: as ``init(path:)``.
    init(_ bytes: [UInt8], source: String) throws(GranaryError) {
        do throws(GranaryError) {
            let archive = try KeyedArchive(bytes, source: source, limits: ModelArchive.limits)
            var decoder = CompiledModelDecoder(archive: archive, source: source)
            let mappings = try Self.mappings(&decoder)
            var (sources, destinations): ([String: Data], [String: Data]) = ([:], [:])
            for mapping in mappings {
                try Self.add(mapping.sourceHash, of: mapping.sourceEntity, "source", to: &sources, &decoder)
                try Self.add(
                    mapping.destinationHash, of: mapping.destinationEntity, "destination", to: &destinations, &decoder)
            }
            entityMappings = mappings
            sourceHashes = sources
            destinationHashes = destinations
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func mappings(_ decoder: inout CompiledModelDecoder) throws(GranaryError) -> [EntityMapping] {
        guard let top = try decoder.archive.top() else {
            throw decoder.refusal("is a keyed archive without a root object")
        }
        let root = try decoder.unpack(top, "the root of the archive")
        guard root.isKind(of: "NSMappingModel") else {
            throw decoder.refusal(
                "is a keyed archive of the class \(decoder.quoted(root.className)), not a mapping model (.cdm)")
        }
        let items = try decoder.items("NSEntityMappings", of: root)
        guard !items.isEmpty else { throw decoder.refusal("the mapping model has no entity mappings") }
        guard items.count <= CompiledModelReader.entityLimit else {
            throw decoder.refusal(
                "the mapping model has \(items.count) entity mappings, more than the limit of "
                    + "\(CompiledModelReader.entityLimit)", code: .limitExceeded)
        }
        var mappings: [EntityMapping] = []
        for item in items { mappings.append(try mapping(item, &decoder)) }
        return mappings
    }

    private static func mapping(
        _ item: KeyedArchive.Item, _ decoder: inout CompiledModelDecoder
    ) throws(GranaryError) -> EntityMapping {
        let object = try decoder.unpack(item, "a member of NSEntityMappings")
        guard object.isKind(of: "NSEntityMapping") else {
            throw decoder.refusal(
                "NSEntityMappings contains an object of the class \(decoder.quoted(object.className))")
        }
        let mapping = EntityMapping(
            sourceEntity: try decoder.text("NSSourceEntityName", of: object),
            destinationEntity: try decoder.text("NSDestinationEntityName", of: object),
            sourceHash: try data("NSSourceEntityVersionHash", of: object, &decoder),
            destinationHash: try data("NSDestinationEntityVersionHash", of: object, &decoder),
            policyClassName: try decoder.text("NSEntityMigrationPolicyClassName", of: object))
        guard mapping.sourceEntity != nil || mapping.destinationEntity != nil else {
            throw decoder.refusal("an entity mapping names no entity")
        }
        return mapping
    }

    private static func data(
        _ key: String, of object: CompiledObject, _ decoder: inout CompiledModelDecoder
    ) throws(GranaryError) -> Data? {
        guard let item = object.fields[key] else { return nil }
        switch try decoder.contents(item) {
        case .data(let bytes): return Data(bytes)
        case .null: return nil
        default: throw decoder.refusal("\(key) is not data")
        }
    }

    /// Adds the hash of an entity that a mapping names. Several mappings can name the same entity.
    private static func add(
        _ hash: Data?, of entity: String?, _ side: String, to hashes: inout [String: Data],
        _ decoder: inout CompiledModelDecoder
    ) throws(GranaryError) {
        guard let entity else { return }
        decoder.place.entity = entity
        guard let hash else { throw decoder.refusal("the mapping has no version hash for this \(side) entity") }
        if let known = hashes.updateValue(hash, forKey: entity), known != hash {
            throw decoder.refusal("the mapping has two version hashes for this \(side) entity")
        }
    }

    /// Converts the errors of the archive reader, whose codes are those of property lists.
    private static func refusal(_ error: GranaryError) -> GranaryError {
        guard let first = error.diagnostics.first, first.code != .modelSyntax, first.code != .limitExceeded else {
            return error
        }
        return GranaryError(
            Diagnostic(
                .modelSyntax, "not a valid compiled mapping model (.cdm): \(first.message)", at: first.position))
    }
}
