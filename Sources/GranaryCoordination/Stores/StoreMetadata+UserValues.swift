import GranaryBase
package import GranaryPropertyLists

extension StoreMetadata {
    /// What the keys begin with that are Core Data's own, CloudKit's, and an archive's.
    private static let ownPrefixes = ["NS", "_NS", "PFCloudKit", "_PF", "Granary"]

    private static func isOwn(_ key: String) -> Bool { ownPrefixes.contains { key.hasPrefix($0) } }

    /// What of an entry an app can read and write; nil for Core Data's own, and for what
    /// ``PersistentStoreMetadata/Value`` cannot hold, which stays as it is.
    private static func userValue(_ entry: PropertyListEntry) -> PersistentStoreMetadata.Value? {
        isOwn(entry.key) ? nil : PersistentStoreMetadata.Value(entry.value)
    }

    var userValues: [String: PersistentStoreMetadata.Value] {
        var values: [String: PersistentStoreMetadata.Value] = [:]
        for entry in entries {
            if let value = Self.userValue(entry) { values[entry.key] = value }
        }
        return values
    }

    var userEntries: [PropertyListEntry] { entries.filter { Self.userValue($0) != nil } }

    package func replacingUserEntries(with new: [PropertyListEntry]) -> StoreMetadata {
        let replaced = Set(new.map(\.key))
        var copy = self
        copy.entries = entries.filter { Self.userValue($0) == nil && !replaced.contains($0.key) } + new
        return copy
    }

    /// - Throws: ``GranaryError``: `usage` for a key that is not an app's to set; `refused` for what a property list
    ///   cannot hold.
    static func userEntries(
        _ values: [String: PersistentStoreMetadata.Value]
    ) throws(GranaryError) -> [PropertyListEntry] {
        if let key = values.keys.sorted().first(where: isOwn) {
            throw GranaryError(
                .usage, "the metadata under \"\(Diagnostic.shortened(key))\" are Core Data's own; use another key")
        }
        return try PersistentStoreMetadata.Value.entries(values, depth: 0)
    }
}
