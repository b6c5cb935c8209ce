import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPropertyLists

/// The `metadata` of an archive: ``StoreMetadata`` and the data of the store that is not in records.
///
/// `GranaryLastKeys` holds the last allocated key of each hierarchy, by the root entity's name. `GranaryVersions`
/// holds, by the same names, alternating keys and versions (`Z_OPT`) of the rows whose version is not 1.
enum ArchiveMetadata {
    private static let identifierKey = "NSStoreUUID"
    private static let typeKey = "NSStoreType"
    private static let lastKeysKey = "GranaryLastKeys"
    private static let versionsKey = "GranaryVersions"
    private static let storeType = "Archive"

    /// The metadata of a new archive.
    static func make(_ schema: Schema) -> StoreMetadata {
        var metadata = StoreMetadata(schema: schema, identifier: UUID().uuidString)
        metadata.entries = metadata.entries.filter { $0.key != "_NSAutoVacuumLevel" }.map {
            $0.key == typeKey ? PropertyListEntry(typeKey, .string(storeType)) : $0
        }
        return metadata
    }

    /// The entries without those that are computed for each file.
    static func kept(_ entries: [PropertyListEntry]) -> [PropertyListEntry] {
        entries.filter { ![identifierKey, lastKeysKey, versionsKey].contains($0.key) }
    }

    // MARK: Writing

    static func entries(
        _ metadata: StoreMetadata, _ state: InMemoryState, _ schema: Schema
    ) -> [PropertyListEntry] {
        var lastKeys: [PropertyListEntry] = []
        var versions: [PropertyListEntry] = []
        for root in state.hierarchies.keys.sorted() {
            guard let hierarchy = state.hierarchies[root] else { continue }
            let name = schema.entities[root].name
            if hierarchy.lastKey > 0 { lastKeys.append(PropertyListEntry(name, .integer(hierarchy.lastKey))) }
            var changed: [PropertyListValue] = []
            for key in hierarchy.keys {
                guard let row = hierarchy.rows[key], row.version != 1 else { continue }
                changed.append(.integer(key))
                changed.append(.integer(row.version))
            }
            if !changed.isEmpty { versions.append(PropertyListEntry(name, .array(changed))) }
        }
        var entries = [PropertyListEntry(identifierKey, .string(metadata.identifier))] + metadata.entries
        if !lastKeys.isEmpty { entries.append(PropertyListEntry(lastKeysKey, .dictionary(lastKeys))) }
        if !versions.isEmpty { entries.append(PropertyListEntry(versionsKey, .dictionary(versions))) }
        return entries
    }

    // MARK: Reading

    /// - Throws: ``GranaryError`` with code `refused` if there is no UUID.
    static func read(_ list: PropertyListValue, path: String) throws(GranaryError) -> StoreMetadata {
        guard let identifier = list[identifierKey]?.string, UUID(uuidString: identifier) != nil else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(path): its metadata has no UUID under \(identifierKey)"))
        }
        return StoreMetadata(identifier: identifier, entries: kept(list.dictionary ?? []))
    }

    /// Restores the versions of rows and the last keys of hierarchies.
    static func restore(_ list: PropertyListValue, into store: InMemoryStore, _ problems: inout DiagnosticCollector) {
        for entry in list[lastKeysKey]?.dictionary ?? [] {
            guard let root = rootIndex(entry.key, store.schema), let key = entry.value.integer, key >= 0, key < .max
            else {
                problems.add(unfit(lastKeysKey, entry.key))
                continue
            }
            let last = store.state.hierarchies[root]?.lastKey ?? 0
            store.state.hierarchies[root, default: .init()].lastKey = max(last, key)
        }
        for entry in list[versionsKey]?.dictionary ?? [] {
            let numbers = entry.value.array?.compactMap(\.integer) ?? []
            guard let root = rootIndex(entry.key, store.schema), let count = entry.value.array?.count,
                count == numbers.count, count.isMultiple(of: 2)
            else {
                problems.add(unfit(versionsKey, entry.key))
                continue
            }
            for index in stride(from: 0, to: count, by: 2) {
                let (key, version) = (numbers[index], numbers[index + 1])
                guard version >= 1, version < .max, store.state.hierarchies[root]?.rows[key] != nil else {
                    problems.add(unfit(versionsKey, entry.key))
                    break
                }
                store.state.hierarchies[root]?.rows[key]?.version = version
            }
        }
    }

    private static func rootIndex(_ name: String, _ schema: Schema) -> Int? {
        guard let entity = schema.entity(named: name), entity.root == entity.index else { return nil }
        return entity.index
    }

    private static func unfit(_ key: String, _ entity: String) -> Diagnostic {
        Diagnostic(
            .storeCorrupt, "the metadata entry \(key) does not match the objects",
            entity: Diagnostic.shortened(entity))
    }
}
