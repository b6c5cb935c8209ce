import GranaryBase
public import GranaryModel
public import Foundation
import Synchronization

/// Stands between contexts and the store: checks that the two have one model, and lets one at a time at the store.
/// (`NSPersistentStoreCoordinator`)
public final class PersistentStoreCoordinator: Sendable {
    /// The model, resolved.
    public let schema: Schema
    let identity: StoreIdentity
    let layouts: [ObjectLayout]
    let keepsExactDecimals: Bool
    /// The to-many relationships without an inverse.
    private let exclusiveLinks: [LinkLayout]
    private let store: LockedStore

    /// - Parameters:
    ///   - store: a store that nobody else uses.
    ///   - classes: the classes of objects by the model's class names; entities without one have plain objects.
    package init(store: sending any PersistentStore, classes: [String: ManagedObject.Type] = [:]) {
        let schema = store.schema
        self.schema = schema
        identity = StoreIdentity(identifier: store.identifier, schema: schema)
        keepsExactDecimals = store.keepsExactDecimals
        layouts = schema.entities.map { entity in
            ObjectLayout(schema: schema, entity: entity, objectClass: Self.objectClass(of: entity, among: classes))
        }
        exclusiveLinks = layouts.flatMap { layout in
            layout.relationships.filter { $0.isExclusive && $0.id.owner == layout.index }
        }
        self.store = LockedStore(store)
    }

    /// The store's UUID: the host of its objects' URIs.
    public var storeIdentifier: String { identity.identifier }

    /// The ID that a URI names; nil when it is none of an object of this store.
    public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri, schema: schema), let key = id.key,
            id.storeIdentifier == storeIdentifier
        else { return nil }
        return ManagedObjectID(origin: identity, entity: id.entity, reference: .stored(key))
    }

    /// Runs `body` with the store, while nobody else uses it: for bulk work past the contexts.
    ///
    /// `body` must not keep the store, and must not come back to the coordinator or to a context of it.
    package func withStore<Result>(_ body: (any PersistentStore) throws -> sending Result) throws -> sending Result {
        try store.withLock(body)
    }

    func entity(named name: String) throws(GranaryError) -> Schema.Entity {
        if let entity = schema.entity(named: name) { return entity }
        let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
        throw GranaryError(
            Diagnostic(.entityUnknown, "there is no entity \"\(Diagnostic.shortened(name))\"\(hint)", entity: nil))
    }

    /// The layout for new objects of an entity.
    func layout(named name: String) throws(GranaryError) -> ObjectLayout {
        let entity = try entity(named: name)
        guard !entity.isAbstract else {
            throw GranaryError(
                Diagnostic(.entityAbstract, "an abstract entity has no objects of its own", entity: entity.name))
        }
        return layouts[entity.index]
    }

    /// The relationships without an inverse that objects of an entity may be members of.
    func exclusiveRelationships(leadingTo layout: ObjectLayout) -> [LinkLayout] {
        exclusiveLinks.filter { layout.isKind(of: $0.end.destination) }
    }

    /// The class registered under the name that the model has, or under that name without its module (`.Customer`,
    /// `App.Customer`).
    private static func objectClass(
        of entity: Schema.Entity, among classes: [String: ManagedObject.Type]
    ) -> ManagedObject.Type {
        guard let name = entity.description.managedObjectClassName else { return ManagedObject.self }
        let bare = name.split(separator: ".").last.map(String.init) ?? name
        return classes[name] ?? classes[bare] ?? ManagedObject.self
    }
}

/// A store behind a lock.
///
/// `@unchecked`: the store came in as `sending`, and is reached only while the lock is held.
private final class LockedStore: @unchecked Sendable {
    private let lock = Mutex(())
    private let store: any PersistentStore

    init(_ store: sending any PersistentStore) { self.store = store }

    func withLock<Result>(_ body: (any PersistentStore) throws -> sending Result) throws -> sending Result {
        try lock.withLock { _ in try body(store) }
    }
}
