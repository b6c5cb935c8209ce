import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Changes that other coordinators save to the same store. Other processes are other connections in the same way.
@Suite("Remote changes", .timeLimit(.minutes(2))) struct RemoteChangesTests {
    static let model = ManagedObjectModel(entities: [EntityDescription("Coffee", [.attribute("name", .string)])])

    private func container(_ stores: TrackedStores, tracksHistory: Bool = true) throws -> PersistentContainer {
        let description = try stores.description("Shop", tracksHistory: tracksHistory)
        let container = try PersistentContainer(name: "Shop", model: Self.model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }

    @discardableResult
    private func add(_ names: String..., to container: PersistentContainer) throws -> [ManagedObjectID] {
        let context = container.makeContext()
        let objects = try names.map { name in
            let object = try context.insert(into: "Coffee")
            try object.setValue(.string(name), forKey: "name")
            return object
        }
        try context.save()
        return objects.map { $0.objectID }
    }

    private func changes(_ container: PersistentContainer, after token: PersistentHistoryToken? = nil) throws
        -> RemoteChanges.Iterator
    {
        try container.remoteChanges(after: token, every: .milliseconds(2)).makeAsyncIterator()
    }

    @Test("Inserted, changed and deleted objects of others, without own saves", arguments: TrackedStores.kinds)
    func others(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        let old = try add("Java", "Kona", to: other)
        var changes = try changes(own)
        try add("own", to: own)
        let new = try add("Sumatra", to: other)
        try add("own too", to: own)
        let context = other.makeContext()
        try context.object(with: old[0]).setValue(.string("Java II"), forKey: "name")
        try context.delete(context.object(with: old[1]))
        try context.save()
        let first = try #require(try await changes.next())
        #expect(first.inserted.map(\.uriRepresentation) == new.map(\.uriRepresentation))
        #expect(first.updated.map(\.uriRepresentation) == [old[0].uriRepresentation])
        #expect(first.deleted.map(\.uriRepresentation) == [old[1].uriRepresentation])
        #expect(first.historyToken != nil)
        try add("own again", to: own)
        try add("Bourbon", to: other)
        #expect(try await changes.next()?.inserted.count == 1)
    }

    @Test("Updates of results have the changes of others while a loop follows them", arguments: TrackedStores.kinds)
    func results(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        let old = try add("Java", "Kona", to: other)
        var request = FetchRequest("Coffee")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        var updates = own.updates(of: request) { try $0.string(forKey: "name") ?? "" }.makeAsyncIterator()
        var list: [ResultsSection<String>] = []
        try await updates.next()?.apply(to: &list)
        #expect(list.flatMap(\.objects) == ["Java", "Kona"])
        let remote = try own.remoteChanges(every: .milliseconds(2))
        let following = Task { for try await _ in remote {} }
        defer { following.cancel() }
        try add("Bourbon", to: other)
        try await updates.next()?.apply(to: &list)
        #expect(list.flatMap(\.objects) == ["Bourbon", "Java", "Kona"])
        let context = other.makeContext()
        try context.object(with: old[0]).setValue(.string("Zambia"), forKey: "name")
        try context.delete(context.object(with: old[1]))
        try context.save()
        try await updates.next()?.apply(to: &list)
        #expect(list.flatMap(\.objects) == ["Bourbon", "Zambia"])
    }

    @Test("An element waits for a change", arguments: TrackedStores.kinds)
    func waits(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        let sequence = try own.remoteChanges(every: .milliseconds(2))
        let waiting = Task {
            for try await changes in sequence { return changes.inserted.count }
            return 0
        }
        try await Task.sleep(for: .milliseconds(30))
        try add("own", to: own)
        try await Task.sleep(for: .milliseconds(30))
        try add("Java", "Kona", to: other)
        #expect(try await waiting.value == 2)
    }

    @Test("Contexts that merge automatically have the changes; others merge them", arguments: TrackedStores.kinds)
    func merging(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        let id = try add("Java", to: other)[0]
        let (automatic, manual) = (own.makeContext(), own.makeContext())
        automatic.automaticallyMergesChangesFromParent = true
        let here = try #require(
            own.persistentStoreCoordinator.managedObjectID(forURIRepresentation: id.uriRepresentation))
        let objects = [automatic, manual].map { $0.object(with: here) }
        for object in objects { #expect(try object.string(forKey: "name") == "Java") }
        var changes = try changes(own)
        let context = other.makeContext()
        try context.object(with: id).setValue(.string("Kona"), forKey: "name")
        try context.save()
        let found = try #require(try await changes.next())
        try automatic.processPendingChanges()
        #expect(try objects.map { try $0.string(forKey: "name") } == ["Kona", "Java"])
        try manual.mergeChanges(from: found)
        #expect(try objects[1].string(forKey: "name") == "Kona")
    }

    @Test("A stored token finds what was saved meanwhile", arguments: TrackedStores.kinds)
    func token(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let token = try container(stores).persistentStoreCoordinator.currentPersistentHistoryToken()
        try add("Java", to: try container(stores))
        let own = try container(stores)
        var changes = try changes(own, after: token)
        #expect(try await changes.next()?.inserted.count == 1)
    }

    @Test("A failed save is not taken for one of others, and theirs not for it", arguments: TrackedStores.kinds)
    func failedSave(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        var changes = try changes(own)
        struct Stop: Error {}
        #expect(throws: (any Error).self) {
            try own.withStore { store in
                try store.transaction { writer in
                    var batch = RowBatch()
                    _ = batch.appendRow(entity: 0, key: 900, version: 1, slotCount: 1)
                    try writer.insert(batch)
                    throw Stop()
                }
            }
        }
        try add("Java", to: other)
        #expect(try await changes.next()?.inserted.count == 1)
    }

    @Test("Many changes are one element", arguments: TrackedStores.kinds)
    func merged(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        var changes = try changes(own)
        for number in 0..<250 {
            try add("\(number)", to: other)
            if number.isMultiple(of: 7) { try add("own", to: own) }
        }
        #expect(try await changes.next()?.inserted.count == 250)
    }

    @Test("The loop ends with its task and with the container", arguments: TrackedStores.kinds)
    func ends(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        var own: PersistentContainer? = try container(stores)
        let sequence = try #require(try own?.remoteChanges(every: .seconds(600)))
        let waiting = Task { for try await _ in sequence {} }
        try await Task.sleep(for: .milliseconds(20))
        waiting.cancel()
        try await waiting.value
        var changes = try #require(try own?.remoteChanges(every: .milliseconds(2)).makeAsyncIterator())
        weak let coordinator = own?.persistentStoreCoordinator
        own = nil
        #expect(coordinator == nil)
        #expect(try await changes.next() == nil)
        var again = sequence.makeAsyncIterator()
        #expect(try await again.next() == nil)
    }

    @Test("Stores without a history are refused, and an expired history is an error", arguments: TrackedStores.kinds)
    func refused(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let error = #expect(throws: GranaryError.self) { try container(stores, tracksHistory: false).remoteChanges() }
        #expect(error?.code == .usage && error?.message.contains("tracksHistory") == true)
        let memory = try PersistentContainer(model: Self.model, store: .inMemory)
        #expect(throws: GranaryError.self) { try memory.remoteChanges() }
    }

    @Test("An expired history is an error", arguments: TrackedStores.kinds)
    func expired(_ kind: TrackedStores.Kind) async throws {
        let stores = try TrackedStores(kind)
        let (own, other) = (try container(stores), try container(stores))
        try add("first", to: other)
        let start = try #require(try own.persistentStoreCoordinator.currentPersistentHistoryToken())
        for name in ["a", "b", "c"] { try add(name, to: other) }
        let end = try #require(try other.persistentStoreCoordinator.currentPersistentHistoryToken())
        try other.persistentStoreCoordinator.deleteHistory(before: end)
        var changes = try changes(own, after: start)
        let error = await #expect(throws: GranaryError.self) { _ = try await changes.next() }
        #expect(error?.diagnostics.first?.code == .historyExpired)
    }

    @Test("The log of own transactions") func log() {
        let log = TransactionLog()
        for number in [3, 4, 5, 9, 11, 12] as [Int64] { log.add(number) }
        #expect((1...13).filter { log.contains($0) } == [3, 4, 5, 9, 11, 12])
        #expect(log.last == 12)
        log.forget(through: 9)
        #expect((1...13).filter { log.contains($0) } == [11, 12])
        log.forget(through: 99)
        #expect(log.last == nil)
    }
}
