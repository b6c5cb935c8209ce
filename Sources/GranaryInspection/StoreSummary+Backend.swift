import Foundation
import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
package import GranaryModel
import GranaryPropertyLists

extension StoreSummary {
    /// Describes an open store of any kind: its entities with their counts, and its metadata.
    ///
    /// - Parameter given: a model to compare with the store's.
    package init(_ store: any StoreBackend, given: ManagedObjectModel? = nil) throws {
        let (schema, metadata) = (store.schema, store.metadata)
        self.init(identifier: metadata.identifier, frameworkVersion: nil, system: nil)
        model = .cache
        if let given {
            let differences = metadata.differences(from: try given.resolved())
            fits = differences.isEmpty
            remarks += differences.map { "\($0.entity ?? ""): \($0.message)" }
        }
        let hashes = metadata.versionHashes
        entities = try store.reading {
            try schema.entities.map { entity in
                Entity(
                    name: entity.name, number: entity.number,
                    parent: entity.superentity.map { schema.entities[$0].name }, isAbstract: entity.isAbstract,
                    count: try store.count(entity: entity.index), hash: hashes[entity.name],
                    attributes: entity.attributes.filter(\.isPersistent).map {
                        Attribute(name: $0.name, type: $0.type.name)
                    },
                    relationships: entity.relationships.filter(\.isPersistent).map { relationship in
                        Relationship(
                            name: relationship.name, destination: relationship.description.destinationEntityName,
                            toMany: relationship.isToMany, ordered: relationship.description.isOrdered,
                            inverse: relationship.inverse.map {
                                schema.entities[$0.owner].relationships[$0.relationship].name
                            })
                    })
            }
        }
        versionIdentifiers = metadata.versionIdentifiers
        userKeys = metadata.entries.map(\.key).filter { key in
            !["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
        }.sorted()
        if let found = try (store as? any HistorySummarizing)?.historySummary() {
            history = History(
                transactions: found.transactions, changes: found.changes, first: found.first?.formatted(.iso8601),
                last: found.last?.formatted(.iso8601), authors: found.authors.map { Diagnostic.shortened($0) })
        }
        let ledger = store.importLedger
        runs = try (store as? any RevertingStore)?.runs().ledgerRuns ?? ledger.runs
        droppedRuns = ledger.droppedRuns
    }
}
