public import Foundation
import GranaryPropertyLists

/// What a store says about itself, also while it is not open. (`NSPersistentStore.metadata`)
///
/// What Core Data needs has members of its own, which nobody can change by accident; ``values`` is what an app has put
/// beside.
///
/// ```swift
/// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url))
/// if metadata.values["SeedVersion"] == 3 { … }
/// ```
public struct PersistentStoreMetadata: Sendable, Hashable {
    /// The store's UUID, upper case. (`NSStoreUUIDKey`)
    public let identifier: String
    /// `SQLite`, `Archive` or `InMemory`. (`NSStoreTypeKey`)
    public let type: String
    /// The version hash (32 bytes) of each entity that the store was made for, by the entity's name.
    /// (`NSStoreModelVersionHashesKey`)
    public let modelVersionHashes: [String: Data]
    /// The identifiers of the model that it was made for. (`NSStoreModelVersionIdentifiersKey`)
    public let modelVersionIdentifiers: [String]
    /// The version of Core Data that wrote it; nil where it does not say.
    public let frameworkVersion: Int64?
    /// What an app has put beside Core Data's own, by its keys.
    public let values: [String: Value]

    init(_ stored: StoreMetadata) {
        identifier = stored.identifier
        type = stored["NSStoreType"]?.string ?? ""
        modelVersionHashes = stored.versionHashes
        modelVersionIdentifiers = (stored["NSStoreModelVersionIdentifiers"]?.array ?? []).compactMap(\.string)
        frameworkVersion = stored.frameworkVersion
        values = stored.userValues
    }
}
