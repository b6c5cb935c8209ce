import Foundation
package import GranaryModel

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
