import Foundation
import Granary
import TestSupport
import Testing

/// Filters, predicates and kinds of results of the persistent history.
@Suite("Selections of the history") struct HistorySelectionTests {
    private let folder: TemporaryFolder
    private let container: PersistentContainer
    private let coordinator: PersistentStoreCoordinator
    private let ids: [String: ManagedObjectID]
    private let start = Date(timeIntervalSinceNow: -1)

    /// 1: a mug and a cup, by "app". 2: the mug renamed, by "sync". 3: the plate. 4: the plate deleted.
    init() throws {
        folder = try TemporaryFolder()
        var plate = EntityDescription("Plate", [.attribute("code", .string), .attribute("size", .integer16)])
        plate.attributes[0].preservesValueInHistoryOnDeletion = true
        let model = ManagedObjectModel(entities: [
            EntityDescription("Cup", [.attribute("name", .string)]),
            EntityDescription("Mug", [], superentity: "Cup"), plate,
        ])
        var description = PersistentStoreDescription(.sqlite(folder.url.appending(path: "Store.sqlite")))
        description.tracksHistory = true
        container = try PersistentContainer(name: "Test", model: model, descriptions: [description])
        try container.loadPersistentStores()
        coordinator = container.persistentStoreCoordinator
        let context = container.makeContext()
        context.transactionAuthor = "app"
        let (mug, cup) = (try context.insert(into: "Mug"), try context.insert(into: "Cup"))
        try context.save()
        context.transactionAuthor = "sync"
        try mug.setValue("new", forKey: "name")
        try context.save()
        context.transactionAuthor = nil
        let plate1 = try context.insert(into: "Plate")
        try plate1.setValue("P1", forKey: "code")
        try context.save()
        ids = ["mug": mug.objectID, "cup": cup.objectID, "plate": plate1.objectID]
        try context.delete(plate1)
        try context.save()
    }

    private func filter(_ change: (inout PersistentHistoryFilter) throws -> Void) rethrows -> PersistentHistoryFilter {
        var filter = PersistentHistoryFilter()
        try change(&filter)
        return filter
    }

    private func numbers(_ change: (inout PersistentHistoryFilter) throws -> Void) throws -> [Int64] {
        try coordinator.fetchHistory(where: filter(change)).map(\.transactionNumber)
    }

    @Test("An entity's name means exactly this entity; a switch adds its subentities")
    func entities() throws {
        #expect(try numbers { $0.entityNames = ["Cup"] } == [1])
        #expect(try numbers { $0.entityNames = ["Mug"] } == [1, 2])
        let exact = try coordinator.fetchHistory(where: filter { $0.entityNames = ["Cup"] })
        #expect(exact.flatMap(\.changes).map(\.changedObjectID) == [ids["cup"]])
        let both = try numbers {
            $0.entityNames = ["Cup"]
            $0.includesSubentities = true
        }
        #expect(both == [1, 2])
        #expect(throws: GranaryError.self) { try numbers { $0.entityNames = ["Spoon"] } }
    }

    @Test("Objects and times select transactions and changes")
    func objectsAndTimes() throws {
        #expect(
            try numbers { $0.changedObjectIDs = [ids["mug"]].compactMap { $0 }.reduce(into: []) { $0.insert($1) } } == [
                1, 2,
            ])
        #expect(try numbers { $0.changedObjectIDs = [] } == [])
        #expect(try numbers { $0.timestamps = start...Date(timeIntervalSinceNow: 60) } == [1, 2, 3, 4])
        #expect(try numbers { $0.timestamps = start.addingTimeInterval(-60)...start } == [])
    }

    @Test(
        "Predicates on transactions",
        arguments: [
            ("author == 'sync'", [2]), ("author == nil", [3, 4]), ("transactionNumber BETWEEN {2, 3}", [2, 3]),
            ("timestamp > '2001-01-01'", [1, 2, 3, 4]), ("timestamp < '2001-01-01'", []),
            ("ANY changes.changeType == 2", [4]), ("changes.@count > 1", [1]), ("processID != nil", [1, 2, 3, 4]),
            ("bundleID == 'none' OR contextName == 'none' OR storeID == ''", []),
        ] as [(String, [Int64])])
    func transactionPredicates(_ text: String, _ expected: [Int64]) throws {
        let predicate = try ObjectPredicate(text)
        #expect(try numbers { $0.predicate = predicate } == expected)
    }

    @Test(
        "Predicates on changes",
        arguments: [
            ("changeType == 1", [2]), ("changedEntity == 'Plate'", [3, 4]),
            ("changedEntity IN {'Mug', 'Cup'}", [1, 2]),
            ("ANY updatedProperties == 'name'", [2]), ("tombstone.code == 'P1'", [4]),
            ("transaction.author == 'app'", [1]), ("changeID > 0", [1, 2, 3, 4]),
        ] as [(String, [Int64])])
    func changePredicates(_ text: String, _ expected: [Int64]) throws {
        let predicate = try ObjectPredicate(text)
        #expect(try numbers { $0.changePredicate = predicate } == expected)
    }

    @Test("A predicate can name the changed object")
    func changedObject() throws {
        let mug = try #require(ids["mug"])
        let predicate = try ObjectPredicate("changedObjectID == %@", mug)
        #expect(try numbers { $0.changePredicate = predicate } == [1, 2])
    }

    @Test(
        "Unknown properties of the history are errors",
        arguments: ["autor == 'a'", "changes.kind == 1", "timestamp == 'x'"])
    func wrongPredicates(_ text: String) throws {
        let predicate = try ObjectPredicate(text)
        let error = #expect(throws: GranaryError.self) { try numbers { $0.predicate = predicate } }
        #expect(error?.code == .usage)
    }

    @Test("Results are transactions with or without changes, IDs, or numbers")
    func results() throws {
        let headers = try coordinator.fetchHistoryTransactions(limit: 3)
        #expect(headers.map(\.transactionNumber) == [1, 2, 3] && headers.allSatisfy(\.changes.isEmpty))
        let changed = try coordinator.fetchHistoryObjectIDs()
        #expect(changed.count == 3 && Set(changed) == Set(ids.values))
        #expect(try coordinator.fetchHistoryObjectIDs(where: filter { $0.changeTypes = [.update] }) == [ids["mug"]])
        let all = try coordinator.countHistory()
        #expect(all.transactions == 4 && all.changes == 5)
        let deletions = try coordinator.countHistory(where: filter { $0.changeTypes = [.delete] })
        #expect(deletions.transactions == 1 && deletions.changes == 1)
        let later = try coordinator.countHistory(after: headers[1].token)
        #expect(later.transactions == 2 && later.changes == 2)
    }

    @Test("A transaction's changes can be merged into a context")
    func saveChanges() throws {
        let history = try coordinator.fetchHistory()
        #expect(history.map(\.saveChanges.inserted.count) == [2, 0, 1, 0])
        #expect(history.map(\.saveChanges.updated.count) == [0, 1, 0, 0])
        #expect(history.map(\.saveChanges.deleted.count) == [0, 0, 0, 1])
        #expect(history.map(\.saveChanges.historyToken) == history.map(\.token))
        let context = container.makeContext()
        let mug = try context.existingObject(with: try #require(ids["mug"]))
        let other = container.makeContext()
        try other.existingObject(with: mug.objectID).setValue("later", forKey: "name")
        try other.save()
        #expect(mug["name"] == "new")
        for transaction in try coordinator.fetchHistory(after: history.last?.token) {
            try context.mergeChanges(from: transaction.saveChanges)
        }
        #expect(mug["name"] == "later")
    }

    @Test("Tokens compare, as far as one is the later one")
    func tokens() {
        func token(_ numbers: [String: Int64]) -> PersistentHistoryToken {
            PersistentHistoryToken(transactionNumbers: numbers)
        }
        let (none, one, two) = (token([:]), token(["A": 1]), token(["A": 2]))
        let (both, other) = (token(["A": 1, "B": 5]), token(["B": 5]))
        for (earlier, later) in [(none, one), (one, two), (one, both), (other, both), (none, other)] {
            #expect(earlier < later && later > earlier && earlier <= later && later >= earlier)
            #expect(!(later < earlier) && !(later <= earlier) && !(earlier > later) && !(earlier >= later))
        }
        for (left, right) in [(two, both), (one, other)] {
            #expect(!(left < right) && !(right < left) && !(left <= right) && !(right <= left))
        }
        #expect(one <= one && one >= one && !(one < one) && token(["A": 0]) <= none && !(token(["A": 0]) < none))
    }

    @Test("Metadata can be made in code, and are compared with those of a store")
    func metadata() throws {
        let made = PersistentStoreMetadata(
            modelVersionHashes: container.schema.versionHashes, modelVersionIdentifiers: ["1"], values: ["Seed": 3])
        #expect(made.type == "SQLite" && !made.identifier.isEmpty && made.frameworkVersion == nil)
        #expect(made.modelVersionIdentifiers == ["1"] && made.values["Seed"] == 3)
        let url = folder.url.appending(path: "Store.sqlite")
        let stored = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url))
        #expect(made.modelVersionHashes == stored.modelVersionHashes)
    }
}
