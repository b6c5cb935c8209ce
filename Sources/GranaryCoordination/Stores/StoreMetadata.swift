package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// The metadata of a store: the row of `Z_METADATA` (docs/core-data/sqlite-layout.md#metadata).
package struct StoreMetadata: Sendable {
    /// `Z_UUID`, in upper case.
    package var identifier: String
    /// `Z_PLIST`: Core Data's entries and the app's.
    package var entries: [PropertyListEntry]

    package init(identifier: String, entries: [PropertyListEntry]) {
        self.identifier = identifier
        self.entries = entries
    }

    /// The version of the layout that Granary writes: Core Data of macOS 15 and iOS 18.
    static let frameworkVersion: Int64 = 1414
}

extension StoreMetadata {
    /// Creates the metadata of a new store. The same model gives the same bytes except for the UUID.
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

    /// - Throws: ``GranaryError`` with code `refused` if the property list is invalid.
    package init(identifier: String, propertyList: [UInt8], path: String) throws(GranaryError) {
        self.identifier = identifier
        do throws(GranaryError) {
            let list = try PropertyList.read(propertyList, source: path)
            guard let entries = list.dictionary else {
                throw GranaryError(.refused, "\(path): its metadata (Z_PLIST) is not a dictionary")
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

    /// The version hashes of the store's entities, by entity name.
    package var versionHashes: [String: Data] {
        var hashes: [String: Data] = [:]
        for entry in self["NSStoreModelVersionHashes"]?.dictionary ?? [] {
            if let bytes = entry.value.data { hashes[entry.key] = Data(bytes) }
        }
        return hashes
    }

    /// The version identifiers of the model.
    package var versionIdentifiers: [String] {
        (self["NSStoreModelVersionIdentifiers"]?.array ?? []).compactMap(\.string)
    }

    package var frameworkVersion: Int64? { self["NSPersistenceFrameworkVersion"]?.integer }

    /// Compares the store's version hashes with a model's: one diagnostic for each entity that differs.
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
    /// The prefixes of keys that Core Data, CloudKit and archives use.
    private static let ownPrefixes = ["NS", "_NS", "PFCloudKit", "_PF", "Granary"]
    /// Core Data leaves this key after a migration in place
    /// (docs/core-data/sqlite-layout.md#keys-that-a-migration-leaves).
    package static let migrationKey = "migrationManagerClass"

    private static func isOwn(_ key: String) -> Bool {
        key == migrationKey || ownPrefixes.contains { key.hasPrefix($0) }
    }

    /// The value of an entry of the app; nil for entries of Core Data and for values that
    /// ``PersistentStoreMetadata/Value`` cannot hold. Those entries do not change.
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

    /// - Throws: ``GranaryError``: `usage` for a reserved key; `refused` if a property list cannot hold a value.
    static func userEntries(
        _ values: [String: PersistentStoreMetadata.Value]
    ) throws(GranaryError) -> [PropertyListEntry] {
        if let key = values.keys.sorted().first(where: isOwn) {
            throw GranaryError(
                .usage, "the metadata key \"\(Diagnostic.shortened(key))\" is reserved; use another key")
        }
        return try PersistentStoreMetadata.Value.entries(values, depth: 0)
    }
}
