import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("A store for every available model", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct EveryModelLongTests {
    @Test("A store is created for each model, can be reopened with it and is sound")
    func everyModel() throws {
        let models = try SharedFiles.files(below: "coredata/models").filter { $0.lastPathComponent == "contents" }
        #expect(models.count == 125)
        let folder = try TemporaryFolder()
        var made = 0
        for (index, contents) in models.enumerated() {
            let schema = try ManagedObjectModel(contentsOf: contents.deletingLastPathComponent()).resolved()
            let path = folder.url.appending(path: "\(index).sqlite").path
            let store = try SQLiteStore.create(path: path, schema: schema)
            for entity in schema.entities where !entity.isAbstract { try tryStatements(of: entity, in: store) }
            try store.publish()
            let opened = try SQLiteStore.open(path: path, schema: schema)
            #expect(try opened.connection.text(pragma: "integrity_check") == "ok")
            #expect(try opened.connection.text(pragma: "journal_mode") == "delete")
            made += 1
        }
        #expect(made == 125)
    }

    /// Prepares and runs every statement once.
    private func tryStatements(of entity: Schema.Entity, in store: SQLiteStore) throws {
        let key = 1_000 + Int64(entity.index)
        var batch = RowBatch()
        batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        try store.transaction { writer in
            try writer.insert(batch)
            try writer.update(batch)
            for relationship in entity.relationships {
                if relationship.isToMany {
                    let link = Link(owner: key, entity: relationship.destination, destination: 1)
                    try writer.setLinks(relationship, owner: key, ownerEntity: entity.index, to: [link])
                } else {
                    try writer.setReference(
                        relationship, owner: key, entity: relationship.destination, destination: 1)
                }
            }
            try writer.completeOrder()
        }
        #expect(try store.read(root: entity.root, keys: [key]).rows.map(\.key) == [key])
        for relationship in entity.relationships {
            try store.readLinks(of: relationship, owners: [key]) { _ in }
            try store.readLinks(of: relationship, owners: nil) { _ in }
        }
        try store.transaction { try $0.delete(entity: entity.index, keys: [key]) }
    }
}
