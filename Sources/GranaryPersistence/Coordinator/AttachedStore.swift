public import Foundation
import GranaryBase
import GranaryModel
import Synchronization

/// A store that a coordinator has loaded. (`NSPersistentStore`)
///
/// `@unchecked`: the store came in as `sending`, and is reached only while the lock is held.
public final class AttachedStore: @unchecked Sendable {
    /// The store's UUID: the host of its objects' URIs.
    public var identifier: String { identity.identifier }
    /// Where the store is, of which kind, and how it was opened.
    public let storeDescription: PersistentStoreDescription
    /// Whether it can only be read.
    public let isReadOnly: Bool

    let identity: StoreIdentity
    let keepsExactDecimals: Bool
    /// Which entities it holds, by their indexes; nil for all of the model.
    private let entities: Set<Int>?
    private let lock = Mutex(())
    private let store: any PersistentStore
    private let isDetached = Mutex(false)

    init(
        _ store: sending any PersistentStore, schema: Schema, description: PersistentStoreDescription,
        entities: Set<Int>?
    ) {
        identity = StoreIdentity(identifier: store.identifier, schema: schema)
        keepsExactDecimals = store.keepsExactDecimals
        storeDescription = description
        isReadOnly = description.isReadOnly
        self.entities = entities
        self.store = store
    }

    /// The configuration that says which entities it holds; `PF_DEFAULT_CONFIGURATION_NAME` for all.
    public var configurationName: String {
        storeDescription.configuration ?? PersistentStoreDescription.defaultConfigurationName
    }

    /// The store's file; nil in memory.
    public var url: URL? { storeDescription.location.url }

    /// Whether objects of an entity can be in it.
    func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

    /// Runs `body` with the store, while nobody else uses it.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the store was removed from its coordinator; what `body` throws.
    func withLock<Result>(_ body: (any PersistentStore) throws -> sending Result) throws -> sending Result {
        try lock.withLock { _ in
            guard !isDetached.withLock({ $0 }) else {
                throw GranaryError(.usage, "the store \(identifier) was removed from its coordinator")
            }
            return try body(store)
        }
    }

    /// Nobody can use the store any more; its file is closed when its last user is done.
    func detach() { lock.withLock { _ in isDetached.withLock { $0 = true } } }
}
