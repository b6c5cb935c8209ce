public import Foundation
public import GranaryBase
public import GranaryModel
import Synchronization

/// Stands between contexts and stores: checks that a store fits the model, lets one at a time at each store, and finds
/// the store of every object. (`NSPersistentStoreCoordinator`)
public final class PersistentStoreCoordinator: Sendable {
    /// The model, resolved.
    public let schema: Schema
    /// What makes the values of Transformable attributes of their bytes.
    public let transformers: AttributeTransformers
    /// What contexts need of the model, made once: see `ObjectLayouts` in GranaryContexts.
    package let objectLayouts: any Sendable
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
    package init(schema: Schema, transformers: AttributeTransformers, objectLayouts: any Sendable) {
        self.schema = schema
        self.transformers = transformers
        self.objectLayouts = objectLayouts
        temporaryIdentity = StoreIdentity(identifier: "", schema: schema)
    }

    // MARK: - Stores

    /// The stores that were added, in that order.
    public var persistentStores: [AttachedStore] { attachedStores }

    /// Whether a relationship may lead from one store to another, or into one that is gone.
    package var hasHadSeveralStores: Bool { severalStores.load(ordering: .acquiring) }

    package var attachedStores: [AttachedStore] { stores.withLock { $0 } }

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

    /// Adds a store that nobody else uses.
    @discardableResult
    package func add(_ store: sending any PersistentStore) throws(GranaryError) -> AttachedStore {
        try add(AttachedStore(store, schema: schema, description: PersistentStoreDescription(.inMemory), entities: nil))
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

    package func store(withIdentifier identifier: String) -> AttachedStore? {
        attachedStores.first { $0.identifier == identifier }
    }

    /// The stores that can hold objects of any of these entities.
    package func stores(holding entities: Range<Int>) -> [AttachedStore] {
        attachedStores.filter { store in entities.contains { store.holds($0) } }
    }

    package func keepsExactDecimals(_ identifier: String?) -> Bool {
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
    package var generation: Int { saveCount.load(ordering: .acquiring) }

    package func noteSave() { saveCount.add(1, ordering: .acquiringAndReleasing) }

    /// The saves of all contexts from now on, those of child contexts too (``SaveChanges/isIntoParent``).
    /// (`NSManagedObjectContextDidSaveObjectIDs`)
    public var saves: Saves {
        Saves { [self] in
            let mailbox = SaveMailbox(receivesChildSaves: true)
            subscribe(mailbox)
            return mailbox
        }
    }

    package func subscribe(_ mailbox: SaveMailbox) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.mailbox == nil }
            listeners.append(WeakMailbox(mailbox: mailbox))
        }
    }

    /// Whether anybody but the one who saved wants to know.
    package func hasListeners(besides sender: SaveMailbox?) -> Bool {
        listeners.withLock { listeners in
            listeners.contains { $0.mailbox.map { $0 !== sender } ?? false }
        }
    }

    /// Tells all listeners but the one who saved.
    package func announce(_ changes: SaveChanges, from sender: SaveMailbox?) {
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

    package func temporaryID(entity: Int) -> ManagedObjectID {
        ManagedObjectID(origin: temporaryIdentity, entity: entity, reference: .temporary(TemporaryIDs.next()))
    }

    /// Whether an ID's entity is the same here: it is an index within a model only.
    package func hasSameModel(_ id: ManagedObjectID) -> Bool {
        id.origin.schema === schema || id.origin.schema.checksum == schema.checksum
    }

    package func entity(named name: String) throws(GranaryError) -> Schema.Entity {
        if let entity = schema.entity(named: name) { return entity }
        let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
        throw GranaryError(
            Diagnostic(.entityUnknown, "there is no entity \"\(Diagnostic.shortened(name))\"\(hint)", entity: nil))
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
