import Foundation
import Granary
import TestSupport
import Testing

/// The persistent history of a store: who changed what.
@Suite("Persistent history") struct HistoryTests {
    private let folder: TemporaryFolder
    private let coordinator: PersistentStoreCoordinator
    private let cup: ManagedObjectID

    /// One transaction that inserts a cup and a plate, one that renames the cup, one that deletes the plate.
    init() throws {
        folder = try TemporaryFolder()
        var plate = EntityDescription("Plate", [.attribute("code", .string), .attribute("size", .integer16)])
        plate.attributes[0].preservesValueInHistoryOnDeletion = true
        let model = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string)]), plate])
        var description = PersistentStoreDescription(.sqlite(folder.url.appending(path: "Store.sqlite")))
        description.tracksHistory = true
        description.timeout = .seconds(1)
        let container = try PersistentContainer(name: "Test", model: model, descriptions: [description])
        try container.loadPersistentStores()
        coordinator = container.persistentStoreCoordinator
        let context = container.makeContext()
        context.transactionAuthor = "app"
        context.name = "main"
        let cup = try context.insert(into: "Cup")
        let plate1 = try context.insert(into: "Plate")
        try plate1.setValue("P1", forKey: "code")
        try context.save()
        context.transactionAuthor = nil
        try cup.setValue("new", forKey: "name")
        try context.save()
        try context.delete(plate1)
        try context.save()
        self.cup = cup.objectID
    }

    @Test("A transaction names its author, its context, its store and its changes")
    func transactions() throws {
        let transactions: [PersistentHistoryTransaction] = try coordinator.fetchHistory()
        #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
        #expect(transactions.map(\.author) == ["app", nil, nil])
        let first = try #require(transactions.first)
        #expect(first.contextName == "main" && first.storeID == coordinator.storeIdentifier)
        #expect(abs(first.timestamp.timeIntervalSinceNow) < 60 && first.processID?.isEmpty == false)
        #expect(first.bundleID == nil || first.bundleID?.isEmpty == false)
        #expect(first.changes.map(\.changeType) == [.insert, .insert])
        #expect(first.changes.map(\.changedObjectID.entityName).sorted() == ["Cup", "Plate"])
        #expect(Set(first.changes.map(\.changeID)).count == 2)
        let update: PersistentHistoryChange = try #require(transactions[1].changes.first)
        #expect(update.changeType == .update && update.changedObjectID == cup && update.updatedProperties == ["name"])
        let deletion = try #require(transactions[2].changes.first)
        #expect(deletion.changeType == .delete && deletion.tombstone == ["code": "P1"])
        #expect(deletion.updatedProperties == nil)
    }

    @Test("Deleted transactions have expired for those who have not seen them")
    func deleting() throws {
        let last = try #require(try coordinator.currentPersistentHistoryToken())
        #expect(try coordinator.deleteHistory(before: last) == 2)
        let first = PersistentHistoryToken(transactionNumbers: [coordinator.storeIdentifier: 1])
        let error = #expect(throws: GranaryError.self) { try coordinator.fetchHistory(after: first) }
        #expect(error?.diagnostics.map(\.code) == [.historyExpired] && error?.coreDataCode == 134_301)
        #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 1)
        #expect(try coordinator.fetchHistory().isEmpty)
    }
}
