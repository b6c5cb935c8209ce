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
