import Foundation
import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
package import GranaryModel
package import GranaryPredicates
import GranaryRecords
package import TestSupport

/// All that a store answers, by the names of entities.
package struct StoreContent: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        package let entity: String
        package let key: Int64
        package let version: Int64
        package let values: [AttributeValue?]
        package let references: [StoredCell]
    }

    package var rows: [Row] = []
    package var links: [String: [Link]] = [:]

    package init(_ store: any StoreBackend) throws {
        for entity in store.schema.entities {
            try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
                for row in batch.rows.indices {
                    let header = batch.rows[row]
                    var values: [AttributeValue?] = []
                    for attribute in entity.attributes { values.append(try batch.value(row: row, of: attribute)) }
                    var references: [StoredCell] = []
                    for relationship in entity.relationships { references.append(batch[row, relationship.slot]) }
                    rows.append(
                        Row(
                            entity: entity.name, key: header.key, version: header.version, values: values,
                            references: references))
                }
                return true
            }
            for relationship in entity.relationships
            where relationship.isToMany && relationship.owner == entity.index {
                var found: [Link] = []
                try store.readLinks(of: relationship, owners: nil) { found.append($0) }
                links["\(entity.name).\(relationship.name)"] = found
            }
        }
    }
}

/// A kind of store, and where one of it lies in a folder.
package enum StoreType: String, CaseIterable, Sendable {
    case inMemory, sqlite, archive, xmlArchive

    package func location(_ name: String, in folder: TemporaryFolder) -> StoreLocation {
        let url = folder.url.appending(path: name)
        switch self {
        case .inMemory: return .inMemory
        case .sqlite: return .sqlite(url)
        case .archive: return .archive(url)
        case .xmlArchive: return .archive(url, .xml)
        }
    }
}

extension TemporaryFolder {
    /// The names of all that is in it.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

extension PersistentContainer {
    /// A container with these stores.
    package convenience init(_ model: ManagedObjectModel, _ descriptions: [PersistentStoreDescription]) throws {
        try self.init(name: "Test", model: model, descriptions: descriptions)
        try loadPersistentStores()
    }

    package var content: StoreContent {
        get throws { try withStore { try StoreContent($0) } }
    }
}
