public import GranaryBase
public import GranaryModel
public import Foundation
import Synchronization

/// Stands between contexts and stores: checks that a store fits the model, lets one at a time at each store, and finds
/// the store of every object. (`NSPersistentStoreCoordinator`)
public final class PersistentStoreCoordinator: Sendable {
    /// The model, resolved.
    public let schema: Schema
    /// What makes the values of Transformable attributes of their bytes.
    public let transformers: AttributeTransformers
    let layouts: [ObjectLayout]
    let hasDerivedAttributes: Bool
    /// The to-many relationships without an inverse.
    private let exclusiveLinks: [LinkLayout]
    private let stores = Mutex<[AttachedStore]>([])
    /// What IDs of objects that were never saved share.
    private let temporaryIdentity: StoreIdentity
    private let listeners = Mutex<[WeakMailbox]>([])
    private let saveCount = Atomic<Int>(0)
    private let severalStores = Atomic<Bool>(false)

    private struct WeakMailbox {
        weak var mailbox: SaveMailbox?
    }

    /// A coordinator without stores.
    ///
    /// - Parameters:
    ///   - classes: the classes of objects by the model's class names; entities without one have plain objects.
    ///   - transformers: those of Transformable attributes beside the built-in ones.
    public init(
        schema: Schema, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) {
        self.schema = schema
        self.transformers = transformers
        temporaryIdentity = StoreIdentity(identifier: "", schema: schema)
        layouts = schema.entities.map { entity in
            ObjectLayout(schema: schema, entity: entity, objectClass: Self.objectClass(of: entity, among: classes))
        }
        exclusiveLinks = layouts.flatMap { layout in
            layout.relationships.filter { $0.isExclusive && $0.id.owner == layout.index }
        }
        hasDerivedAttributes = layouts.contains(where: \.hasDerivedAttributes)
    }

    // MARK: - Stores

    /// The stores that were added, in that order.
    public var persistentStores: [AttachedStore] { attachedStores }

    /// Whether a relationship may lead from one store to another, or into one that is gone.
    var hasHadSeveralStores: Bool { severalStores.load(ordering: .acquiring) }

    var attachedStores: [AttachedStore] { stores.withLock { $0 } }

    /// The UUID of the first store: the host of its objects' URIs; empty without one.
    public var storeIdentifier: String { attachedStores.first?.identifier ?? "" }

    /// Opens the store that a description names, or makes it.
    ///
    /// - Throws: ``GranaryError`` when the store cannot be opened or made, was made for another model, or is there
    ///   already.
    @discardableResult
    public func addPersistentStore(_ description: PersistentStoreDescription) throws(GranaryError) -> AttachedStore {
        let choice = try ConfigurationChoice(description.configuration, of: schema)
        return try add(
            AttachedStore(
                try choice.open(description), schema: schema, description: description, entities: choice.entities))
    }

    /// A coordinator with one store that nobody else uses.
    package convenience init(
        store: sending any PersistentStore, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) {
        self.init(schema: store.schema, classes: classes, transformers: transformers)
        let attached = AttachedStore(
            store, schema: schema, description: PersistentStoreDescription(.inMemory), entities: nil)
        stores.withLock { $0 = [attached] }
    }

    private func add(_ store: AttachedStore) throws(GranaryError) -> AttachedStore {
        let isNew = stores.withLock { stores in
            guard !stores.contains(where: { $0.identifier == store.identifier }) else { return false }
            stores.append(store)
            if stores.count > 1 { severalStores.store(true, ordering: .releasing) }
            return true
        }
        guard isNew else {
            throw GranaryError(.usage, "a store with the UUID \(store.identifier) was added already")
        }
        return store
    }

    /// Lets go of a store; its file stays. Contexts can read its objects no longer. (`remove(_:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the coordinator does not have the store.
    public func remove(_ store: AttachedStore) throws(GranaryError) {
        let isKnown = stores.withLock { stores in
            guard let index = stores.firstIndex(where: { $0 === store }) else { return false }
            stores.remove(at: index)
            return true
        }
        guard isKnown else {
            throw GranaryError(.usage, "the store \(store.identifier) is not one of this coordinator")
        }
        store.detach()
        noteSave()
    }

    /// Puts a store into the place of another.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the other one was removed meanwhile.
    func replace(_ store: AttachedStore, with new: AttachedStore) throws(GranaryError) {
        let isKnown = stores.withLock { stores in
            guard let index = stores.firstIndex(where: { $0 === store }) else { return false }
            stores[index] = new
            return true
        }
        guard isKnown else {
            throw GranaryError(.usage, "the store \(store.identifier) was removed from its coordinator meanwhile")
        }
        noteSave()
    }

    /// The store of a file; nil when it was not added. (`persistentStore(for:)`)
    public func persistentStore(for url: URL) -> AttachedStore? { attachedStores.first { $0.url == url } }

    func store(withIdentifier identifier: String) -> AttachedStore? {
        attachedStores.first { $0.identifier == identifier }
    }

    /// The stores that can hold objects of any of these entities.
    func stores(holding entities: Range<Int>) -> [AttachedStore] {
        attachedStores.filter { store in entities.contains { store.holds($0) } }
    }

    func keepsExactDecimals(_ identifier: String?) -> Bool {
        identifier.flatMap { store(withIdentifier: $0) }?.keepsExactDecimals ?? false
    }

    /// Runs `body` with the first store for bulk work, while nothing else uses it.
    ///
    /// `body` must not keep the store, and must not use the coordinator or a context of it.
    ///
    /// - Parameter forReading: whether `body` does not write; contexts then keep what they have read.
    package func withStore<Result>(
        forReading: Bool = false, _ body: (any PersistentStore) throws -> sending Result
    ) throws -> sending Result {
        guard let store = attachedStores.first else {
            throw GranaryError(.usage, "the container has no store; load one first")
        }
        // What contexts have read may have changed.
        defer { if !forReading { noteSave() } }
        return try store.withLock { store in
            // The last context's name is not the bulk work's.
            store.setAuthor(nil, contextName: nil)
            return try body(store)
        }
    }

    // MARK: - Saves

    /// How often a store was changed through the coordinator: rows that were read before are not used again.
    var generation: Int { saveCount.load(ordering: .acquiring) }

    func noteSave() { saveCount.add(1, ordering: .acquiringAndReleasing) }

    /// The saves of all contexts from now on, those of child contexts too (``SaveChanges/isIntoParent``).
    /// (`NSManagedObjectContextDidSaveObjectIDs`)
    public var saves: Saves {
        Saves { [self] in
            let mailbox = SaveMailbox(receivesChildSaves: true)
            subscribe(mailbox)
            return mailbox
        }
    }

    func subscribe(_ mailbox: SaveMailbox) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.mailbox == nil }
            listeners.append(WeakMailbox(mailbox: mailbox))
        }
    }

    /// Whether anybody but the one who saved wants to know.
    func hasListeners(besides sender: SaveMailbox?) -> Bool {
        listeners.withLock { listeners in
            listeners.contains { $0.mailbox.map { $0 !== sender } ?? false }
        }
    }

    /// Tells all listeners but the one who saved.
    func announce(_ changes: SaveChanges, from sender: SaveMailbox?) {
        let others = listeners.withLock { listeners in listeners.compactMap(\.mailbox) }
        for mailbox in others where mailbox !== sender && (mailbox.receivesChildSaves || !changes.isIntoParent) {
            mailbox.put(changes)
        }
    }

    // MARK: - Objects

    /// The ID that a URI names; nil when it is none of an object of these stores.
    public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri, schema: schema), let key = id.key,
            let store = store(withIdentifier: id.origin.identifier)
        else { return nil }
        return ManagedObjectID(origin: store.identity, entity: id.entity, reference: .stored(key))
    }

    func temporaryID(entity: Int) -> ManagedObjectID {
        ManagedObjectID(origin: temporaryIdentity, entity: entity, reference: .temporary(TemporaryIDs.next()))
    }

    /// Whether an ID's entity is the same here: it is an index within a model only.
    func hasSameModel(_ id: ManagedObjectID) -> Bool {
        id.origin.schema === schema || id.origin.schema.checksum == schema.checksum
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

/// Names for objects that were never saved: unique over the process, and cheap.
private enum TemporaryIDs {
    /// What makes them differ from other processes' names.
    private static let process = UUID().uuid
    private static let count = Atomic<UInt64>(0)

    static func next() -> UUID {
        let number = count.add(1, ordering: .relaxed).newValue
        let p = process
        func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return UUID(
            uuid: (
                p.0, p.1, p.2, p.3, p.4, p.5, p.6, p.7, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
                byte(0)
            ))
    }
}
