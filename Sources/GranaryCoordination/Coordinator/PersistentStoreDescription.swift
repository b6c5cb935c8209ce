import GranaryBase
import GranaryModel

/// A store that a container loads, with its options. (`NSPersistentStoreDescription`)
public struct PersistentStoreDescription: Sendable, Hashable {
    /// How SQLite keeps transactions apart: https://www.sqlite.org/pragma.html#pragma_journal_mode.
    public enum JournalMode: String, Sendable, CaseIterable {
        /// The pages before a change are in a rollback journal, which is removed at the commit. A store is one file.
        /// Readers wait while a transaction is committed, and a commit waits for readers.
        case delete
        /// Changed pages are appended to a write-ahead log, the file `-wal`. Readers and one writer do not wait for
        /// each other, and a commit is faster. As long as the store is open, the log can have rows that the file does
        /// not have.
        case wal
    }

    /// When SQLite waits until data is on the disk: https://www.sqlite.org/pragma.html#pragma_synchronous.
    public enum Synchronous: String, Sendable, CaseIterable {
        /// Never. If the system crashes, the store can be damaged.
        case off
        /// Not at each commit in the mode ``JournalMode/wal``: if the system crashes, the last saves can be lost, and
        /// the store is as it was before them.
        case normal
        /// At each commit.
        case full
        /// As ``full``, and also after a rollback journal was removed.
        case extra
    }

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

    /// The journal mode of an SQLite store, which its file keeps; nil for the mode that the file has. A new store has
    /// ``JournalMode/delete`` unless this says otherwise, because its file is complete and can be copied. Core Data
    /// itself creates stores with ``JournalMode/wal``. Read-only stores and other kinds of stores ignore it.
    /// (`journal_mode` in `NSSQLitePragmasOption`)
    ///
    /// Another mode requires that no other program has the store open; otherwise loading throws the code `busy`.
    public var journalMode: JournalMode?
    /// When saves wait for the disk; nil for ``Synchronous/full``, SQLite's own choice. The file does not keep it. Other
    /// kinds of stores ignore it. (`synchronous` in `NSSQLitePragmasOption`)
    public var synchronous: Synchronous?
    /// The maximum number of connections on which contexts and exports read at the same time, if the store is in the mode
    /// ``JournalMode/wal``. Further readers wait. Each connection is opened when it is needed and kept. In other modes,
    /// and in other kinds of stores, reading and writing take turns.
    public var maximumReaderCount = Self.readerCount

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

    package static let readerCount = 5

    /// A writable store with all entities.
    public init(_ location: StoreLocation) { self.location = location }

    /// Whether the store has the entities of one configuration.
    package var isPart: Bool { configuration != nil && configuration != Self.defaultConfigurationName }

    /// Whether opening the store may migrate it.
    package var mayMigrate: Bool { migratesAutomatically && infersMapping && !isReadOnly && !ignoresModelVersioning }
}
