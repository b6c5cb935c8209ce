import GranaryCoordination

/// The journal mode and the setting of `synchronous` that a store gets; nil leaves one as it is.
struct JournalSettings {
    var mode: PersistentStoreDescription.JournalMode?
    var synchronous: PersistentStoreDescription.Synchronous?
}
