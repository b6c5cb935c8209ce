package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// What a store says about itself: the row of `Z_METADATA` (sqlite-layout §2).
package struct StoreMetadata: Sendable {
    /// `Z_UUID`: upper case.
    package var identifier: String
    /// `Z_PLIST`: Core Data's keys, and whatever an app added.
    package var entries: [PropertyListEntry]

    /// The framework whose layout we write; what Core Data of macOS 15 and iOS 18 calls itself.
    static let frameworkVersion: Int64 = 1414

    /// The metadata of a new store. The same model gives the same bytes but for the UUID.
    package init(schema: Schema, identifier: String, type: String = "SQLite") {
        self.identifier = identifier
        let hashes = schema.versionHashes.keys.sorted(by: utf8Less).compactMap { name in
            schema.versionHashes[name].map { PropertyListEntry(name, .data(Array($0))) }
        }
        entries = [
            PropertyListEntry("NSPersistenceFrameworkVersion", .integer(Self.frameworkVersion)),
            PropertyListEntry("NSStoreModelVersionChecksumKey", .string(schema.checksum)),
            PropertyListEntry("NSStoreModelVersionHashes", .dictionary(hashes)),
            PropertyListEntry("NSStoreModelVersionHashesDigest", .string(schema.digest)),
            PropertyListEntry("NSStoreModelVersionHashesVersion", .integer(3)),
            PropertyListEntry(
                "NSStoreModelVersionIdentifiers", .array(schema.model.versionIdentifiers.map { .string($0) })),
            PropertyListEntry("NSStoreType", .string(type)),
        ]
        if type == "SQLite" { entries.append(PropertyListEntry("_NSAutoVacuumLevel", .string("2"))) }
    }

    /// - Throws: ``GranaryError`` with code `refused` when the property list is broken.
    package init(identifier: String, propertyList: [UInt8], path: String) throws(GranaryError) {
        self.identifier = identifier
        do throws(GranaryError) {
            let list = try PropertyList.read(propertyList, source: path)
            guard let entries = list.dictionary else {
                throw GranaryError(.refused, "\(path): its metadata (Z_PLIST) is no dictionary")
            }
            self.entries = entries
        } catch {
            throw GranaryError(
                .refused, "\(path): its metadata (Z_PLIST) cannot be read: \(error.message)",
                diagnostics: error.diagnostics, underlying: error)
        }
    }

    package func propertyList() throws(GranaryError) -> [UInt8] {
        try PropertyList.write(.dictionary(entries), as: .binary)
    }

    package subscript(key: String) -> PropertyListValue? { PropertyListValue.dictionary(entries)[key] }

    /// The version hash of each entity that the store was written for.
    package var versionHashes: [String: Data] {
        var hashes: [String: Data] = [:]
        for entry in self["NSStoreModelVersionHashes"]?.dictionary ?? [] {
            if let bytes = entry.value.data { hashes[entry.key] = Data(bytes) }
        }
        return hashes
    }

    package var frameworkVersion: Int64? { self["NSPersistenceFrameworkVersion"]?.integer }

    /// What keeps a model from fitting the store: entities by name, and what is different about each.
    package func differences(from schema: Schema) -> [Diagnostic] {
        let stored = versionHashes
        var found: [Diagnostic] = []
        for name in Set(stored.keys).union(schema.versionHashes.keys).sorted(by: utf8Less) {
            switch (stored[name], schema.versionHashes[name]) {
            case (let left?, let right?) where left == right: break
            case (_?, _?):
                found.append(
                    Diagnostic(
                        .storeMismatch,
                        "the store was written for another version of the entity (its version hash differs)",
                        entity: name))
            case (_?, nil):
                found.append(Diagnostic(.storeMismatch, "the store has the entity, the model does not", entity: name))
            case (nil, _?):
                found.append(Diagnostic(.storeMismatch, "the model has the entity, the store does not", entity: name))
            case (nil, nil): break
            }
        }
        return found
    }
}

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
