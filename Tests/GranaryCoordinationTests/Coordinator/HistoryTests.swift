import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

@Suite("History on the coordinator") struct HistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("HIS-03: two coordinators on one store have equal tokens after each save", arguments: TrackedStores.kinds)
    func twoCoordinators(_ kind: TrackedStores.Kind) throws {
        let stores = try TrackedStores(kind)
        let containers = try (0..<2).map { _ in
            try PersistentContainer(PeopleModel.model, [stores.description("Store")])
        }
        var token = try #require(try containers[0].persistentStoreCoordinator.currentPersistentHistoryToken())
        var seen: [ManagedObjectID] = []
        for number in 0..<4 {
            let context = containers[number % 2].makeContext()
            context.transactionAuthor = "author \(number)"
            let pet = try context.insert(into: "Pet")
            try context.save()
            seen.append(pet.objectID)
            let tokens = try containers.map { try $0.persistentStoreCoordinator.currentPersistentHistoryToken() }
            #expect(tokens[0] == tokens[1] && tokens[0] != token)
            let news = try containers[0].persistentStoreCoordinator.fetchHistory(after: token)
            #expect(news.map(\.author) == ["author \(number)"])
            #expect(news.flatMap(\.changes).map(\.changedObjectID) == [pet.objectID])
            #expect(news.flatMap(\.changes).map(\.changeType) == [.insert])
            token = token.advanced(past: news)
            #expect(token == tokens[0])
        }
        let coordinator = containers[1].persistentStoreCoordinator
        #expect(try coordinator.fetchHistory(after: token) == [])
        #expect(try coordinator.fetchHistory().flatMap(\.changes).map(\.changedObjectID) == seen)
        #expect(try coordinator.fetchHistory(limit: 3).map(\.transactionNumber) == [1, 2, 3])
        #expect(try coordinator.fetchHistory(limit: 0) == [])
        // What the history names can be merged.
        let context = containers[0].makeContext()
        #expect(try context.objects(with: seen).count == 4)
    }

    @Test(
        "A history filtered by transaction, author, context, entity and kind of change", arguments: TrackedStores.kinds)
    func filtered(_ kind: TrackedStores.Kind) throws {
        let stores = try TrackedStores(kind)
        let container = try PersistentContainer(PeopleModel.model, [stores.description("Store")])
        let coordinator = container.persistentStoreCoordinator
        for (author, contextName) in [("a", "one"), (nil, "one"), ("b", nil)] {
            let context = container.makeContext()
            (context.transactionAuthor, context.name) = (author, contextName)
            let ann = try context.person("Ann")
            _ = try context.pet("Rex", of: ann)
            try context.save()
            try ann.setValue("Anna", forKey: "name")
            try context.save()
        }
        func numbers(_ change: (inout PersistentHistoryFilter) -> Void) throws -> [Int64] {
            var filter = PersistentHistoryFilter()
            change(&filter)
            return try coordinator.fetchHistory(where: filter).map(\.transactionNumber)
        }
        #expect(try numbers { _ in } == [1, 2, 3, 4, 5, 6])
        #expect(try numbers { $0.authors = ["a", "b"] } == [1, 2, 5, 6])
        #expect(try numbers { $0.authors = [nil] } == [3, 4])
        #expect(try numbers { $0.contextNames = ["one"] } == [1, 2, 3, 4])
        #expect(try numbers { $0.transactionNumbers = 2...4 } == [2, 3, 4])
        #expect(try numbers { $0.entityNames = ["Pet"] } == [1, 3, 5])
        #expect(try numbers { $0.changeTypes = [.update] } == [2, 4, 6])
        #expect(
            try numbers {
                $0.changeTypes = [.update]; $0.entityNames = ["Pet"]
            } == [])
        #expect(
            try numbers {
                $0.authors = ["a"]; $0.entityNames = ["Person"]; $0.changeTypes = [.insert]
            } == [1])
        // Other changes of a transaction are left out; the limit counts what is wanted.
        var filter = PersistentHistoryFilter()
        filter.entityNames = ["Pet"]
        let two = try coordinator.fetchHistory(where: filter, limit: 2)
        #expect(two.map(\.transactionNumber) == [1, 3])
        #expect(two.flatMap(\.changes).map(\.changedObjectID.entityName) == ["Pet", "Pet"])
        let token = PersistentHistoryToken(transactionNumbers: [:]).advanced(past: two)
        #expect(try coordinator.fetchHistory(after: token, where: filter).map(\.transactionNumber) == [5])
        filter.entityNames = ["Pat"]
        let error = #expect(throws: GranaryError.self) { try coordinator.fetchHistory(where: filter) }
        #expect(error?.message.contains("did you mean \"Pet\"") == true)
    }

    @Test("HIS-01: without a history there are neither tokens nor transactions", arguments: StoreType.allCases)
    func withoutHistory(_ kind: StoreType) throws {
        let container = try PersistentContainer(
            model: PeopleModel.model, store: kind.location("Store", in: folder))
        let context = container.makeContext()
        try context.insert(into: "Pet")
        try context.save()
        let coordinator = container.persistentStoreCoordinator
        #expect(try coordinator.currentPersistentHistoryToken() == nil)
        #expect(try coordinator.fetchHistory() == [])
        #expect(try coordinator.deleteHistory(before: Date()) == 0)
    }

    @Test(
        "HIS-01: a save tells the history's place where there is one, and who made it", arguments: [true, false],
        TrackedStores.kinds)
    func tokensOfSaves(tracksHistory: Bool, _ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let container = try PersistentContainer(
            PeopleModel.model, [stores.description("Store", tracksHistory: tracksHistory)])
        let coordinator = container.persistentStoreCoordinator
        var saves = container.saves.makeAsyncIterator()
        for number in 1...3 as ClosedRange<Int64> {
            let id = try await container.perform { context in
                context.transactionAuthor = "author \(number)"
                context.name = "context \(number)"
                let pet = try context.insert(into: "Pet")
                try context.save()
                return pet.objectID
            }
            let heard = await saves.next()
            #expect(heard?.inserted == [id])
            let current = try coordinator.currentPersistentHistoryToken()
            #expect(heard?.historyToken == current)
            let numbers = heard?.historyToken?.transactionNumbers
            #expect(numbers == (tracksHistory ? [coordinator.storeIdentifier: number] : nil))
            let last = try coordinator.fetchHistory().last
            #expect(last?.author == (tracksHistory ? "author \(number)" : nil))
            #expect(last?.contextName == (tracksHistory ? "context \(number)" : nil))
        }
    }

    @Test(
        "HIS-01: of two stores a save names those that were written and have a history",
        arguments: TrackedStores.kinds)
    func tokensOfTwoStores(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let container = try PersistentContainer(
            TwoStoreModel.model,
            [stores.description("Library", "Library"), stores.description("Notes", "Notes", tracksHistory: false)])
        let coordinator = container.persistentStoreCoordinator
        let identifiers = coordinator.persistentStores.map(\.identifier)
        var saves = container.saves.makeAsyncIterator()
        for entities in [["Book", "Alarm"], ["Alarm"], ["Book"]] {
            try await container.perform { context in
                for entity in entities { try context.insert(into: entity) }
                try context.save()
            }
        }
        var tokens: [PersistentHistoryToken?] = []
        for _ in 0..<3 { tokens.append(await saves.next()?.historyToken) }
        #expect(
            tokens.map { $0?.transactionNumbers } == [[identifiers[0]: 1], nil, [identifiers[0]: 2]])
        #expect(try coordinator.currentPersistentHistoryToken() == tokens[2])
        #expect(try coordinator.fetchHistory().map(\.storeID) == [identifiers[0], identifiers[0]])
    }

    @Test(
        "Stores of configurations: objects are named by the whole model, tokens by each store",
        arguments: TrackedStores.kinds)
    func configurations(_ kind: TrackedStores.Kind) throws {
        let places = try TrackedStores(kind)
        let container = try PersistentContainer(
            TwoStoreModel.model, [places.description("Library", "Library"), places.description("Notes", "Notes")])
        let coordinator = container.persistentStoreCoordinator
        let stores = coordinator.persistentStores
        let context = container.makeContext()
        let book = try context.insert(into: "Book")
        let alarm = try context.insert(into: "Alarm")
        try context.save()
        try alarm.setValue(true, forKey: "rings")
        try context.save()
        let history = try coordinator.fetchHistory()
        #expect(history.map(\.storeID) == [0, 1, 1].map { stores[$0].identifier })
        let changes = history.flatMap(\.changes)
        #expect(changes.map(\.changedObjectID) == [book.objectID, alarm.objectID, alarm.objectID])
        #expect(changes.map(\.changedObjectID.entityName) == ["Book", "Alarm", "Alarm"])
        #expect(changes.map(\.updatedProperties) == [nil, nil, ["rings"]])
        let token = try #require(try coordinator.currentPersistentHistoryToken())
        #expect(token.transactionNumbers == [stores[0].identifier: 1, stores[1].identifier: 2])
        let one = try #require(try coordinator.currentPersistentHistoryToken(fromStores: [stores[1]]))
        #expect(one.transactionNumbers == [stores[1].identifier: 2])
        // The other store is not known to it at all.
        #expect(try coordinator.fetchHistory(after: one).map(\.storeID) == [stores[0].identifier])
        #expect(try coordinator.fetchHistory(fromStores: [stores[1]]).count == 2)
        #expect(try coordinator.fetchHistory(fromStores: []) == [])
        let start = PersistentHistoryToken(transactionNumbers: [:])
        #expect(try coordinator.fetchHistory(after: start, limit: 2) == Array(history.prefix(2)))
        let rest = try coordinator.fetchHistory(after: start.advanced(past: Array(history.prefix(2))), limit: 2)
        #expect(rest == [history[2]])
    }

    @Test("HIS-05: what was removed has expired for those who had not seen it", arguments: TrackedStores.kinds)
    func deleting(_ kind: TrackedStores.Kind) throws {
        let stores = try TrackedStores(kind)
        let container = try PersistentContainer(PeopleModel.model, [stores.description("Store")])
        let coordinator = container.persistentStoreCoordinator
        let identifier = coordinator.storeIdentifier
        let before = try #require(try coordinator.currentPersistentHistoryToken())
        #expect(before.transactionNumbers == [identifier: 0])
        let context = container.makeContext()
        for _ in 0..<4 {
            try context.insert(into: "Pet")
            try context.save()
        }
        #expect(try coordinator.fetchHistory(after: before).count == 4)
        let third = PersistentHistoryToken(transactionNumbers: [identifier: 3])
        #expect(try coordinator.deleteHistory(before: third) == 2)
        #expect(try coordinator.fetchHistory().map(\.transactionNumber) == [3, 4])
        #expect(try coordinator.fetchHistory(after: third).map(\.transactionNumber) == [4])
        let first = PersistentHistoryToken(transactionNumbers: [identifier: 1])
        let error = #expect(throws: GranaryError.self) { try coordinator.fetchHistory(after: first) }
        #expect(error?.diagnostics.map(\.code) == [.historyExpired])
        #expect(error?.diagnostics.map(\.coreDataCode) == [134_301])
        #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 2)
        #expect(try coordinator.fetchHistory() == [])
        // Numbers go on.
        #expect(try coordinator.currentPersistentHistoryToken()?.transactionNumbers == [identifier: 4])
    }

    @Test(
        "A store of another coordinator is refused; a read-only one is read, and keeps its history",
        arguments: TrackedStores.kinds)
    func foreign(_ kind: TrackedStores.Kind) throws {
        let places = try TrackedStores(kind)
        let writer = try PersistentContainer(PeopleModel.model, [places.description("Store")])
        let context = writer.makeContext()
        try context.insert(into: "Pet")
        try context.save()
        var readOnly = try places.description("Store", tracksHistory: false)
        readOnly.isReadOnly = true
        let coordinator = try PersistentContainer(PeopleModel.model, [readOnly]).persistentStoreCoordinator
        #expect(try coordinator.fetchHistory().count == 1)
        #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 0)
        #expect(try coordinator.fetchHistory().count == 1)
        let stores = writer.persistentStoreCoordinator.persistentStores
        let error = #expect(throws: GranaryError.self) { try coordinator.fetchHistory(fromStores: stores) }
        #expect(error?.code == .usage)
    }
}
