public import Foundation
public import GranaryBase
import GranaryModel
import Synchronization

/// A store that a coordinator has loaded. (`NSPersistentStore`)
///
/// `@unchecked`: the initialiser takes the store as `sending`, and the store is used only while the lock is held.
public final class PersistentStore: @unchecked Sendable {
    /// The store's UUID, which is the host in the URIs of its objects.
    public var identifier: String { identity.identifier }
    /// The store's location and kind, and the options that it was opened with.
    public let storeDescription: PersistentStoreDescription
    /// Whether the store is read-only.
    public let isReadOnly: Bool

    /// The IDs of its objects in the store that it was migrated from; nil if it was not migrated.
    public let objectIDMapping: ObjectIDMapping?

    package let identity: StoreIdentity
    let keepsExactDecimals: Bool
    /// The indexes of the entities that the store holds; nil for all entities of the model.
    private let entities: Set<Int>?
    private let store: ExclusiveStore
    /// Nil if the store can be read by one thread at a time only.
    private let knownReaders = Mutex<StoreReaders?>(nil)
    private let knownMetadata: Mutex<PersistentStoreMetadata>
    private let ownValues = Mutex<[String: any Sendable]>([:])

    init(
        _ store: sending any StoreBackend, schema: Schema, description: PersistentStoreDescription,
        entities: Set<Int>?, migratedFrom source: PersistentStore? = nil
    ) {
        let identity = StoreIdentity(identifier: store.identifier, schema: schema)
        self.identity = identity
        objectIDMapping = source.map { ObjectIDMapping(from: $0.identity, to: identity) }
        knownMetadata = Mutex(PersistentStoreMetadata(store.metadata))
        keepsExactDecimals = store.keepsExactDecimals
        storeDescription = description
        isReadOnly = description.isReadOnly
        self.entities = entities
        let factory = store.readerFactory
        self.store = ExclusiveStore(store)
        noteReaders(factory)
    }

    // The last connection to be closed moves the write-ahead log into the file, and only the store's own can do so.
    deinit { readers?.close() }

    /// The name of the configuration whose entities the store holds; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
    public var configurationName: String {
        storeDescription.configuration ?? PersistentStoreDescription.defaultConfigurationName
    }

    /// The store's file; nil for a store in memory.
    public var url: URL? { storeDescription.location.url }

    /// Values that the app attaches to the open store. They are not saved, unlike ``PersistentStoreMetadata/values``.
    public var userInfo: [String: any Sendable] {
        get { ownValues.withLock { $0 } }
        set { ownValues.withLock { $0 = newValue } }
    }

    /// The store's metadata, as last read or written through this coordinator.
    public var metadata: PersistentStoreMetadata { knownMetadata.withLock { $0 } }

    /// Replaces the app's values in the metadata (``PersistentStoreMetadata/values``) in one transaction, at once. Core
    /// Data writes them with the next save. (`setMetadata(_:for:)`)
    ///
    /// - Throws: ``GranaryError``: `usage` if a key begins with `NS`, `_NS`, `_PF`, `PFCloudKit` or `Granary`, or if
    ///   the store is read-only or was removed from its coordinator; `refused` if the file cannot hold a value; `busy`,
    ///   `inputOutput`.
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

    /// Updates ``metadata`` from the store.
    func noteMetadata(of store: any StoreBackend) {
        let changed = PersistentStoreMetadata(store.metadata)
        knownMetadata.withLock { $0 = changed }
    }

    /// Whether the store can hold objects of an entity.
    package func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

    /// Runs `body` with exclusive access to the store.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the store was removed from its coordinator, or is in use by this
    ///   thread; any error from `body`.
    package func withLock<Result>(_ body: (any StoreBackend) throws -> sending Result) throws -> sending Result {
        try store.use(body)
    }

    // MARK: - Reading

    private var readers: StoreReaders? { knownReaders.withLock { $0 } }

    /// Sets how to open connections for reading, of a store that has just been published.
    func noteReaders(_ open: StoreReaderFactory?) {
        let readers = open.map {
            StoreReaders(identifier: identifier, limit: storeDescription.maximumReaderCount, open: $0)
        }
        knownReaders.withLock { $0 = readers }
    }

    /// Whether several threads can read at the same time, while another one writes.
    var hasReaders: Bool { readers != nil }

    /// Runs `body` to read in one snapshot: beside other readers and the writer if the store has connections for
    /// reading, otherwise with exclusive access.
    ///
    /// A row can be older than the coordinator's count of saves, so take the count before.
    ///
    /// - Parameter generation: the state to read; nil for the present one.
    /// - Throws: as ``withLock(_:)``; any error from opening a connection.
    package func reading<Result>(
        _ generation: QueryGeneration? = nil, _ body: (any StoreBackend) throws -> sending Result
    ) throws -> sending Result {
        if let pinned = try generation?.reader(of: self) { return try pinned.use(body) }
        guard let readers else { return try withLock(body) }
        // As without connections for reading, so that code does not depend on the journal mode.
        try store.checkIsFree()
        return try readers.use(body)
    }

    /// Reports the statements of all connections from now on.
    func observe(_ observer: any PersistentContainerObserver) {
        try? withLock { store in
            store.setObserver(observer)
            guard let open = store.readerFactory else { return }
            noteReaders {
                let reader = try open()
                reader.setObserver(observer)
                return reader
            }
        }
    }

    func pinnedReader() throws -> PinnedReader? { try readers.map { try PinnedReader($0) } }

    /// Releases the store and closes its file, when other threads do not use it any more.
    func detach() {
        readers?.close()
        store.close()
    }
}
