public import Foundation
public import GranaryBase
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

    /// How its objects were called in the store that they came from; nil for a store that was not moved here.
    public let migration: StoreMigration?

    package let identity: StoreIdentity
    let keepsExactDecimals: Bool
    /// Which entities it holds, by their indexes; nil for all of the model.
    private let entities: Set<Int>?
    private let lock = Mutex(())
    /// Nil once the store was removed. Only for who has the lock.
    private var store: (any PersistentStore)?
    private let knownMetadata: Mutex<PersistentStoreMetadata>
    private let ownValues = Mutex<[String: any Sendable]>([:])

    init(
        _ store: sending any PersistentStore, schema: Schema, description: PersistentStoreDescription,
        entities: Set<Int>?, migratedFrom source: AttachedStore? = nil
    ) {
        let identity = StoreIdentity(identifier: store.identifier, schema: schema)
        self.identity = identity
        migration = source.map { StoreMigration(from: $0.identity, to: identity) }
        knownMetadata = Mutex(PersistentStoreMetadata(store.metadata))
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

    /// Values that the program attaches to the open store. They are not saved; ``PersistentStoreMetadata/values`` are.
    public var userInfo: [String: any Sendable] {
        get { ownValues.withLock { $0 } }
        set { ownValues.withLock { $0 = newValue } }
    }

    /// What the store says about itself, as it was opened or written through this coordinator.
    public var metadata: PersistentStoreMetadata { knownMetadata.withLock { $0 } }

    /// Replaces what the metadata have of an app's own (``PersistentStoreMetadata/values``), at once and in one
    /// transaction; Core Data writes it with the next save. (`setMetadata(_:for:)`)
    ///
    /// - Throws: ``GranaryError``: `usage` for a key that begins with `NS`, `_NS`, `_PF`, `PFCloudKit` or `Granary`, and
    ///   when the store is read-only or was removed from its coordinator; `refused` for what its file cannot hold; `busy`, `inputOutput`.
    public func setMetadata(_ values: [String: PersistentStoreMetadata.Value]) throws(GranaryError) {
        let entries = try StoreMetadata.userEntries(values)
        guard !isReadOnly else { throw GranaryError(.usage, "the store \(identifier) is read-only") }
        try converting {
            try withLock { store in
                try store.setUserMetadata(entries)
                noteMetadata(of: store)
            }
        }
    }

    /// The store's metadata are others now.
    func noteMetadata(of store: any PersistentStore) {
        let changed = PersistentStoreMetadata(store.metadata)
        knownMetadata.withLock { $0 = changed }
    }

    /// Whether objects of an entity can be in it.
    package func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

    /// Runs `body` with the store, while nobody else uses it.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the store was removed from its coordinator; what `body` throws.
    package func withLock<Result>(_ body: (any PersistentStore) throws -> sending Result) throws -> sending Result {
        try lock.withLock { _ in
            guard let store else {
                throw GranaryError(.usage, "the store \(identifier) was removed from its coordinator")
            }
            return try body(store)
        }
    }

    /// Nobody can use the store any more; its file is closed.
    func detach() { lock.withLock { _ in markDetached() } }

    /// The same for who has the lock.
    func markDetached() { store = nil }
}

/// Which store a container loads, and how. (`NSPersistentStoreDescription`)
public struct PersistentStoreDescription: Sendable, Hashable {
    /// The name of the configuration that has all entities. (`PF_DEFAULT_CONFIGURATION_NAME`)
    public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The kind of the store and its file. (`type`, `url`)
    public var location: StoreLocation
    /// The model's configuration whose entities the store holds; nil and ``defaultConfigurationName`` for all.
    public var configuration: String?
    /// Whether the store is never written; it must exist then. (`isReadOnly`)
    public var isReadOnly = false
    /// Whether loading with a completion handler goes on in the background. (`shouldAddStoreAsynchronously`)
    public var shouldAddStoreAsynchronously = false
    /// How long an SQLite store waits for another process that has locked its file. (`timeout`)
    public var timeout: Duration = .seconds(5)
    /// Whether every save is recorded in the store; SQLite stores only, others have no history. A store that has such records gets more of them in any case.
    /// (`NSPersistentHistoryTrackingKey`)
    public var tracksHistory = false

    /// Whether to open the store without comparing its version hashes with the model's. Its tables must still have the
    /// columns of the model. Core Data's behaviour on a store saved this way is not known. Archives are always compared.
    /// (`NSIgnorePersistentStoreVersioningOption`)
    public var ignoresModelVersioning = false

    /// A store that can be written, with all entities.
    public init(_ location: StoreLocation) { self.location = location }
}
