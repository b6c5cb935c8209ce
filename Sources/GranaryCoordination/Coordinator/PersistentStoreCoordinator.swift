public import Foundation
public import GranaryBase
public import GranaryModel
import Synchronization

/// Connects contexts to stores: checks that each store fits the model, gives one caller at a time access to a store,
/// and finds the store of an object. (`NSPersistentStoreCoordinator`)
public final class PersistentStoreCoordinator: Sendable {
    /// The model, resolved.
    public let schema: Schema
    /// Converts the values of Transformable attributes to bytes and back.
    public let transformers: AttributeTransformers
    /// Model data that contexts need, computed once: see `ObjectLayouts` in GranaryContexts.
    package let objectLayouts: any Sendable
    /// Receives what the stores and contexts do; nil for nobody.
    package let observer: (any PersistentContainerObserver)?
    private let stores = Mutex<[PersistentStore]>([])
    /// The identity that all temporary IDs share.
    private let temporaryIdentity: StoreIdentity
    private let listeners = Mutex<[WeakMailbox]>([])
    private let saveCount = Atomic<Int>(0)
    private let severalStores = Atomic<Bool>(false)

    private struct WeakMailbox {
        weak var mailbox: SaveMailbox?
    }

    /// A coordinator without stores.
    package init(
        schema: Schema, transformers: AttributeTransformers, objectLayouts: any Sendable,
        observer: (any PersistentContainerObserver)? = nil
    ) {
        self.schema = schema
        self.observer = observer
        self.transformers = transformers
        self.objectLayouts = objectLayouts
        temporaryIdentity = StoreIdentity(identifier: "", schema: schema)
    }

    // MARK: - Stores

    /// The added stores, in the order they were added.
    public var persistentStores: [PersistentStore] { stores.withLock { $0 } }

    /// Whether the coordinator ever had several stores, so that relationships may lead to another or a removed store.
    package var hasHadSeveralStores: Bool { severalStores.load(ordering: .acquiring) }

    /// The UUID of the first store; empty if there is none.
    public var storeIdentifier: String { persistentStores.first?.identifier ?? "" }

    /// Opens the store of a description; creates it if it does not exist.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be opened or created, was created for another model, or was added
    ///   already.
    @discardableResult
    public func addPersistentStore(_ description: PersistentStoreDescription) throws(GranaryError) -> PersistentStore {
        let choice = try ConfigurationChoice(description.configuration, of: schema)
        return try add(
            PersistentStore(
                try choice.open(description), schema: schema, description: description, entities: choice.entities))
    }

    /// Adds an open store. The caller must not use it any more.
    @discardableResult
    package func add(_ store: sending any StoreBackend) throws(GranaryError) -> PersistentStore {
        try add(
            PersistentStore(store, schema: schema, description: PersistentStoreDescription(.inMemory), entities: nil))
    }

    private func add(_ store: PersistentStore) throws(GranaryError) -> PersistentStore {
        if let observer { store.observe(observer) }
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

    /// Removes a store from the coordinator; its file is kept. Contexts can no longer read its objects. (`remove(_:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the coordinator does not have the store.
    public func remove(_ store: PersistentStore) throws(GranaryError) {
        try replace(store, with: [])
        store.detach()
        noteSave()
    }

    /// Replaces a store, or removes it. The caller calls ``noteSave()``.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the coordinator does not have the store.
    func replace(_ store: PersistentStore, with new: [PersistentStore]) throws(GranaryError) {
        let isKnown = stores.withLock { stores in
            guard let index = stores.firstIndex(where: { $0 === store }) else { return false }
            stores.replaceSubrange(index...index, with: new)
            return true
        }
        guard isKnown else {
            throw GranaryError(.usage, "the store \(store.identifier) does not belong to this coordinator")
        }
    }

    /// Returns the store of a file; nil if it was not added. (`persistentStore(for:)`)
    public func persistentStore(for url: URL) -> PersistentStore? { persistentStores.first { $0.url == url } }

    package func store(withIdentifier identifier: String) -> PersistentStore? {
        persistentStores.first { $0.identifier == identifier }
    }

    /// The stores that can hold objects of any of these entities.
    package func stores(holding entities: Range<Int>) -> [PersistentStore] {
        persistentStores.filter { store in entities.contains { store.holds($0) } }
    }

    package func keepsExactDecimals(_ identifier: String?) -> Bool {
        identifier.flatMap { store(withIdentifier: $0) }?.keepsExactDecimals ?? false
    }

    // MARK: - Saves

    /// The number of times a store was changed through the coordinator. Rows read at a lower number are not used again.
    package var generation: Int { saveCount.load(ordering: .acquiring) }

    package func noteSave() { saveCount.add(1, ordering: .acquiringAndReleasing) }

    /// Notes that objects were changed without a context and without a list of them.
    package func noteUnlistedChanges() {
        noteSave()
        let all = listeners.withLock { listeners in listeners.compactMap(\.mailbox) }
        var changes = SaveChanges()
        changes.isUnlisted = true
        for mailbox in all where mailbox.receivesUnlistedChanges { mailbox.put(changes) }
    }

    /// The saves of all contexts from now on, including saves of child contexts (``SaveChanges/isIntoParent``).
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

    /// Whether there are listeners other than the sender.
    package func hasListeners(besides sender: SaveMailbox?) -> Bool {
        listeners.withLock { listeners in
            listeners.contains { $0.mailbox.map { $0 !== sender } ?? false }
        }
    }

    /// Sends a save to all listeners except the sender.
    package func announce(_ changes: SaveChanges, from sender: SaveMailbox?) {
        let others = listeners.withLock { listeners in listeners.compactMap(\.mailbox) }
        for mailbox in others where mailbox !== sender && (mailbox.receivesChildSaves || !changes.isIntoParent) {
            mailbox.put(changes)
        }
    }

    // MARK: - Objects

    /// Returns the ID that a URI names; nil if the URI is not the ID of an object in these stores.
    public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri, schema: schema), let key = id.key,
            let store = store(withIdentifier: id.origin.identifier)
        else { return nil }
        return ManagedObjectID(origin: store.identity, entity: id.entity, reference: .stored(key))
    }

    package func temporaryID(entity: Int) -> ManagedObjectID {
        ManagedObjectID(origin: temporaryIdentity, entity: entity, reference: .temporary(TemporaryIDs.next()))
    }

    /// Returns the ID of an object without a coordinator.
    package static func temporaryID(entity: Int, of schema: Schema) -> ManagedObjectID {
        ManagedObjectID(
            origin: StoreIdentity(identifier: "", schema: schema), entity: entity,
            reference: .temporary(TemporaryIDs.next()))
    }

    /// Whether an ID belongs to the same model. Entity indexes are valid only within one model.
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

/// Generates temporary IDs that are unique within the process, without system calls.
private enum TemporaryIDs {
    /// Distinguishes the IDs of this process from IDs of other processes.
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
