import Foundation
public import GranaryBase
import GranaryModel

/// An ID is coded as its URI.
///
/// A decoded ID belongs to a store, so a decoder needs the container that has it:
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo = container.decodingUserInfo
/// ```
extension ManagedObjectID: Codable {
    /// Encodes the URI.
    ///
    /// - Throws: `EncodingError` for a temporary ID, which means nothing after the next save.
    public func encode(to encoder: any Encoder) throws {
        guard !isTemporaryID else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "\(self) is a temporary ID; save the object first, or obtain its permanent ID"))
        }
        var container = encoder.singleValueContainer()
        try container.encode(uriRepresentation.absoluteString)
    }

    /// Decodes a URI, or the ``exportName`` that values of objects have in JSON. It is not checked whether the object
    /// exists.
    ///
    /// - Throws: `DecodingError` if the decoder's `userInfo` has no container, the text is not the URI of an object, or
    ///   the container has no such store or entity.
    public init(from decoder: any Decoder) throws {
        let coordinator = try PersistentStoreCoordinator.decoding(with: decoder)
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = try? coordinator.managedObjectID(forExportName: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "\"\(Diagnostic.shortened(text))\" is not the URI of an object in a store of the container")
        }
        self = id
    }

    /// The name of the object in an export and in the JSON of its values: `Book/p1`; nil for a temporary ID.
    /// ``PersistentStoreCoordinator/managedObjectID(forExportName:)`` returns the ID again.
    public var exportName: String? { key.map { origin.schema.objectName(entity: entity, key: $0) } }
}

extension PersistentStoreCoordinator {
    private static let decodingKey = "Granary.PersistentStoreCoordinator"

    /// The value for a decoder's `userInfo`, with which it decodes IDs of objects in these stores.
    package var decodingUserInfo: [CodingUserInfoKey: any Sendable] {
        CodingUserInfoKey(rawValue: Self.decodingKey).map { [$0: self] } ?? [:]
    }

    /// Returns the coordinator in a decoder's `userInfo`.
    ///
    /// - Throws: `DecodingError` if there is none.
    package static func decoding(with decoder: any Decoder) throws -> PersistentStoreCoordinator {
        let key = CodingUserInfoKey(rawValue: decodingKey)
        if let found = key.flatMap({ decoder.userInfo[$0] as? PersistentStoreCoordinator }) { return found }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "the ID of an object needs its container; set decoder.userInfo = container.decodingUserInfo"))
    }

    /// Returns the ID of the object that has a name in an export or in the JSON of values (`Book/p1`), or a URI. It is
    /// not checked whether the object exists.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the text is neither, the model lacks the entity, or not
    ///   exactly one store can hold its objects.
    public func managedObjectID(forExportName text: String) throws(GranaryError) -> ManagedObjectID {
        if let id = URL(string: text).flatMap({ managedObjectID(forURIRepresentation: $0) }) { return id }
        let shown = "\"\(Diagnostic.shortened(text))\""
        guard let end = text.lastIndex(of: "/"), let entity = schema.entity(named: String(text[..<end])) else {
            throw GranaryError(.refused, "\(shown) is not an object of the model, such as \(example)")
        }
        let digits = text[end...].dropFirst(2)
        guard text[end...].dropFirst().first == "p", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let key = Int64(digits), key > 0
        else { throw GranaryError(.refused, "\(shown) is not an object, such as \(entity.name)/p1") }
        let stores = stores(holding: entity.index..<entity.index + 1)
        guard stores.count == 1, let store = stores.first else {
            throw GranaryError(
                .refused, "\(shown) could be in \(stores.count) stores of the container; use the URI of its ID")
        }
        return ManagedObjectID(origin: store.identity, entity: entity.index, key: key)
    }

    private var example: String { (schema.entities.first?.name ?? "Book") + "/p1" }
}
