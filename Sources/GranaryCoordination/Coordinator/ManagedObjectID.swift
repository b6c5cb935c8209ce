public import Foundation
import GranaryBase
public import GranaryModel

/// The identifier of a managed object. It is `Sendable`, the same in every context, and can be stored.
/// (`NSManagedObjectID`)
///
/// An object that was never saved has a temporary ID; the save replaces it with a permanent ID.
public struct ManagedObjectID: Sendable {
    enum Reference: Sendable, Hashable {
        case stored(Int64)
        case temporary(UUID)
    }

    package let origin: StoreIdentity
    /// The index of the object's entity.
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

    /// Whether the ID is temporary: the object was not saved and has not obtained a permanent ID.
    public var isTemporaryID: Bool { key == nil }

    /// The UUID of the store that holds the object; nil for a temporary ID.
    public var storeIdentifier: String? { isTemporaryID ? nil : origin.identifier }

    /// `Z_PK`; nil for a temporary ID.
    package var key: Int64? {
        if case .stored(let key) = reference { key } else { nil }
    }

    /// The index of the root of the entity's hierarchy.
    package var root: Int { origin.schema.entities[entity].root }
}

extension ManagedObjectID: Hashable {
    /// Keys are unique within a hierarchy, so only the root of the entity is compared.
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
        // The other half is the same for all IDs made by one process.
        case .temporary(let uuid):
            withUnsafeBytes(of: uuid.uuid) { hasher.combine($0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) }
        }
    }
}

extension ManagedObjectID {
    /// A hash for tables of one process: equal IDs have equal hashes. It is not mixed.
    package var tableHash: UInt64 {
        switch reference {
        case .stored(let key): UInt64(bitPattern: key) &+ (UInt64(truncatingIfNeeded: root) << 48)
        case .temporary(let uuid):
            withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
        }
    }

    private static let scheme = "x-coredata://"

    /// The ID in Core Data's form: `x-coredata://<store UUID>/<Entity>/p<key>`; a temporary ID is
    /// `x-coredata:///<Entity>/t<UUID>`.
    public var uriRepresentation: URL {
        let name = entityName.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entityName
        // Only valid URL characters are left, so the URL is never nil.
        return URL(string: text(entity: name)) ?? URL(filePath: entityName)
    }

    private func text(entity: String) -> String {
        switch reference {
        case .stored(let key): "\(Self.scheme)\(origin.identifier)/\(entity)/p\(key)"
        case .temporary(let uuid): "\(Self.scheme)/\(entity)/t\(uuid.uuidString)"
        }
    }

    /// Parses an ID from its URI.
    ///
    /// Returns nil if the URI is not an object ID or names an entity that is not in `schema`. It does not check whether
    /// the store or the object exists.
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
    /// The URI without percent-encoding of the entity's name.
    public var description: String { text(entity: entityName) }
}
