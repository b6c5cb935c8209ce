public import Foundation
import GranaryBase
public import GranaryModel

/// The name of a managed object: the same in every context, `Sendable`, fit to be kept. (`NSManagedObjectID`)
///
/// An object that was never saved has a temporary one; the save gives it a permanent one.
public struct ManagedObjectID: Sendable {
    enum Reference: Sendable, Hashable {
        case stored(Int64)
        case temporary(UUID)
    }

    package let origin: StoreIdentity
    /// The object's entity, as an index.
    package let entity: Int
    let reference: Reference

    /// The permanent ID of a stored object.
    package init(origin: StoreIdentity, entity: Int, key: Int64) {
        self.init(origin: origin, entity: entity, reference: .stored(key))
    }

    init(origin: StoreIdentity, entity: Int, reference: Reference) {
        self.origin = origin
        self.entity = entity
        self.reference = reference
    }

    /// The name of the object's entity.
    public var entityName: String { origin.schema.entities[entity].name }

    /// Whether it is a temporary name: the object was not saved, and was given no permanent ID before.
    public var isTemporaryID: Bool { key == nil }

    /// The UUID of the store that holds the object; nil for a temporary ID.
    public var storeIdentifier: String? { isTemporaryID ? nil : origin.identifier }

    /// `Z_PK`; nil for a temporary ID.
    package var key: Int64? {
        if case .stored(let key) = reference { key } else { nil }
    }

    /// The top of the entity's hierarchy, as an index.
    package var root: Int { origin.schema.entities[entity].root }
}

/// What the IDs of one store share, so that an ID is small.
package final class StoreIdentity: Sendable {
    /// The store's UUID.
    package let identifier: String
    package let schema: Schema

    init(identifier: String, schema: Schema) {
        self.identifier = identifier
        self.schema = schema
    }
}

extension ManagedObjectID: Hashable {
    /// A key is unique over a hierarchy, so the entity counts only by its root.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.reference == right.reference else { return false }
        if left.isTemporaryID { return true }
        guard left.entity == right.entity || left.root == right.root else { return false }
        return left.origin === right.origin || left.origin.identifier == right.origin.identifier
    }

    public func hash(into hasher: inout Hasher) {
        switch reference {
        case .stored(let key):
            hasher.combine(key)
            hasher.combine(root)
        // The other half is the same for all IDs that a process makes.
        case .temporary(let uuid):
            withUnsafeBytes(of: uuid.uuid) { hasher.combine($0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) }
        }
    }
}

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
