import GranaryBase
import GranaryModel

/// A store that a container loads, with its options. (`NSPersistentStoreDescription`)
public struct PersistentStoreDescription: Sendable, Hashable {
    /// The name of the configuration with all entities. (`PF_DEFAULT_CONFIGURATION_NAME`)
    public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The store's kind and file. (`type`, `url`)
    public var location: StoreLocation
    /// The configuration whose entities the store holds; nil and ``defaultConfigurationName`` mean all entities.
    public var configuration: String?
    /// Whether the store is opened read-only. The store must exist. (`isReadOnly`)
    public var isReadOnly = false
    /// Whether loading with a completion handler continues in the background. (`shouldAddStoreAsynchronously`)
    public var shouldAddStoreAsynchronously = false
    /// How long an SQLite store waits for a lock of another process. (`timeout`)
    public var timeout: Duration = .seconds(5)
    /// Whether the store records every save in its persistent history. Only SQLite stores have a history. A store that
    /// already has a history records saves even if this is false. (`NSPersistentHistoryTrackingKey`)
    public var tracksHistory = false

    /// Whether a store of an older version of the model is migrated when it is opened for writing. Otherwise, and if
    /// ``infersMapping`` is false, it is refused. (`NSMigratePersistentStoresAutomaticallyOption`,
    /// `shouldMigrateStoreAutomatically`)
    ///
    /// The older model is the one in the store. What the newer version cannot hold is dropped; no copy of the old store
    /// is kept. An object without a value of a required attribute, equal values under a new uniqueness constraint and a
    /// number that does not fit or would be rounded are refused, and the store is unchanged. A store of one configuration
    /// is not migrated to the whole model, nor the other way. `StoreMigration` has more options.
    public var migratesAutomatically = true
    /// Whether the mapping between the two versions is inferred; Granary has no other mappings.
    /// (`NSInferMappingModelAutomaticallyOption`, `shouldInferMappingModelAutomatically`)
    public var infersMapping = true

    /// Whether to open the store without comparing its version hashes with the model's. Its tables must still have the
    /// model's columns. It is not known how Core Data treats a store saved this way. Archives are always compared.
    /// (`NSIgnorePersistentStoreVersioningOption`)
    public var ignoresModelVersioning = false

    /// A writable store with all entities.
    public init(_ location: StoreLocation) { self.location = location }

    /// Whether the store has the entities of one configuration.
    package var isPart: Bool { configuration != nil && configuration != Self.defaultConfigurationName }

    /// Whether opening the store may migrate it.
    package var mayMigrate: Bool { migratesAutomatically && infersMapping && !isReadOnly && !ignoresModelVersioning }
}
