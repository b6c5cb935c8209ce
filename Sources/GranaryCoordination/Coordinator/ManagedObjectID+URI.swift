public import Foundation
import GranaryBase
public import GranaryModel

extension ManagedObjectID {
    private static let scheme = "x-coredata://"

    /// The ID as Core Data writes it: `x-coredata://<store UUID>/<Entity>/p<key>`, for a temporary one
    /// `x-coredata:///<Entity>/t<UUID>`.
    public var uriRepresentation: URL {
        let name = entityName.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entityName
        // Only characters that a URL may have are left, so the other side of ?? is never taken.
        return URL(string: text(entity: name)) ?? URL(filePath: entityName)
    }

    private func text(entity: String) -> String {
        switch reference {
        case .stored(let key): "\(Self.scheme)\(origin.identifier)/\(entity)/p\(key)"
        case .temporary(let uuid): "\(Self.scheme)/\(entity)/t\(uuid.uuidString)"
        }
    }

    /// Reads an ID from its URI.
    ///
    /// Nil when the URI is none of an object ID, or names an entity that `schema` does not have. That there is such a
    /// store or object is not checked.
    public init?(uri: URL, schema: Schema) {
        let text = uri.absoluteString
        guard text.utf8.count > Self.scheme.utf8.count, text.prefix(Self.scheme.count).lowercased() == Self.scheme
        else {
            return nil
        }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let name = String(parts[1]).removingPercentEncoding,
            let entity = schema.entity(named: name)
        else { return nil }
        let host = String(parts[0])
        let tail = parts[2].dropFirst()
        switch parts[2].first {
        case "p":
            guard !host.isEmpty, tail.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let key = Int64(tail), key > 0
            else { return nil }
            self.init(
                origin: StoreIdentity(identifier: host.uppercased(), schema: schema), entity: entity.index,
                reference: .stored(key))
        case "t":
            guard let uuid = UUID(uuidString: String(tail)) else { return nil }
            self.init(
                origin: StoreIdentity(identifier: host, schema: schema), entity: entity.index,
                reference: .temporary(uuid))
        default: return nil
        }
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The URI, readable: the entity's name is not percent-encoded.
    public var description: String { text(entity: entityName) }
}
