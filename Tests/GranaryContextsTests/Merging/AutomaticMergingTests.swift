import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// `automaticallyMergesChangesFromParent` between contexts of one container.
@Suite("Automatic merging") struct AutomaticMergingTests {
    /// Two background contexts, the second of which holds what it has read: Ann and Bob.
    private struct Bench {
        let container: PersistentContainer
        let writer: BackgroundContext
        let reader: BackgroundContext
        let ids: [ManagedObjectID]

        init(_ factory: StoreFactory, isAutomatic: Bool) throws {
            container = try Watched.container(factory)
            writer = container.newBackgroundContext()
            reader = container.newBackgroundContext()
            ids = try writer.performAndWait { context in
                let people = [try context.person("Ann", salary: 10), try context.person("Bob")]
                try context.save()
                return people.map(\.objectID)
            }
            try reader.performAndWait { context in
                context.automaticallyMergesChangesFromParent = isAutomatic
                context.retainsRegisteredObjects = true
                for person in try context.fetchAll("Person") { _ = person["name"] }
            }
        }

        func change(_ id: ManagedObjectID, _ key: String, to value: AttributeValue?) async throws {
            try await writer.perform { context in
                try context.lookUpObject(with: id)?.setValue(value, forKey: key)
                try context.save()
            }
        }

        /// What the second context has for an object, after it has merged if it does.
        func value(_ id: ManagedObjectID, _ key: String) async throws -> AttributeValue? {
            try await reader.perform { context in context.registeredObject(for: id)?[key] }
        }
    }

    @Test(
        "A background context has what another saved, at its next piece of work", arguments: StoreFactory.all,
        [true, false])
    func updates(_ factory: StoreFactory, isAutomatic: Bool) async throws {
        let bench = try Bench(factory, isAutomatic: isAutomatic)
        #expect(try await bench.value(bench.ids[0], "name") == "Ann")
        try await bench.change(bench.ids[0], "name", to: "Anna")
        #expect(try await bench.value(bench.ids[0], "name") == (isAutomatic ? "Anna" : "Ann"))
        #expect(try await bench.value(bench.ids[1], "name") == "Bob")
        #expect(try await bench.reader.perform { $0.hasChanges } == false)
    }

    @Test("performAndWait merges when it fetches, saves or is told to", arguments: StoreFactory.kinds)
    func momentsOfMerging(_ factory: StoreFactory) async throws {
        let bench = try Bench(factory, isAutomatic: true)
        let id = bench.ids[0]
        func name() throws -> AttributeValue? {
            try bench.reader.performAndWait { context in context.registeredObject(for: id)?["name"] }
        }
        try await bench.change(id, "name", to: "1")
        #expect(try name() == "Ann")
        try bench.reader.performAndWait { context in try context.processPendingChanges() }
        #expect(try name() == "1")
        try await bench.change(id, "name", to: "2")
        try bench.reader.performAndWait { context in _ = try context.count("Person") }
        #expect(try name() == "2")
        try await bench.change(id, "name", to: "3")
        try bench.reader.performAndWait { context in try context.save() }
        #expect(try name() == "3")
        // No more from when it is switched off.
        try bench.reader.performAndWait { context in context.automaticallyMergesChangesFromParent = false }
        try await bench.change(id, "name", to: "4")
        try bench.reader.performAndWait { context in try context.processPendingChanges() }
        #expect(try name() == "3")
    }

    @Test("Changes made here stay, and are saved without a conflict", arguments: StoreFactory.all)
    func changesHere(_ factory: StoreFactory) async throws {
        let bench = try Bench(factory, isAutomatic: true)
        let id = bench.ids[0]
        try await bench.reader.perform { context in
            _ = try context.registeredObject(for: id)?.setValue(99, forKey: "salary")
        }
        try await bench.change(id, "name", to: "Anna")
        try await bench.change(id, "note", to: "theirs")
        try await bench.reader.perform { try $0.save() }
        #expect(try await bench.value(id, "name") == "Anna")
        #expect(try bench.container.stored(id, "name") == "Anna")
        #expect(try bench.container.stored(id, "salary") == 99)
        #expect(try bench.container.stored(id, "note") == "theirs")
    }

    @Test("New and deleted objects are merged, too", arguments: StoreFactory.all)
    func insertionsAndDeletions(_ factory: StoreFactory) async throws {
        let bench = try Bench(factory, isAutomatic: true)
        let (ann, bob) = (bench.ids[0], bench.ids[1])
        let log = AnnouncementLog()
        try bench.reader.performAndWait { context in _ = log.observe(context) }
        let new = try await bench.writer.perform { context in
            let cid = try context.person("Cid")
            if let object = try context.lookUpObject(with: bob) { try context.delete(object) }
            try context.save()
            return cid.objectID
        }
        let names = try await bench.reader.perform { context in
            try context.fetchAll("Person").map { $0["name"] }
        }
        #expect(names == ["Ann", "Cid"])
        #expect(log.takeAll() == [AnnouncementLog.Numbers(inserted: 1, deleted: 1)])
        #expect(try await bench.value(new, "name") == "Cid")
        let deleted = try await bench.reader.perform { $0.deletedObjects.map(\.objectID) }
        #expect(deleted == [bob])
        try await bench.reader.perform { try $0.save() }
        #expect(try await bench.reader.perform { $0.hasChanges } == false)
        #expect(try await bench.value(ann, "name") == "Ann")
    }

    @Test("Two contexts that merge from each other come to rest", arguments: StoreFactory.kinds)
    func bothWays(_ factory: StoreFactory) async throws {
        let bench = try Bench(factory, isAutomatic: true)
        let id = bench.ids[0]
        try bench.writer.performAndWait { context in
            context.automaticallyMergesChangesFromParent = true
            context.retainsRegisteredObjects = true
        }
        for number in 0..<10 {
            let context = number % 2 == 0 ? bench.writer : bench.reader
            try await context.perform { context in
                let person = try context.lookUpObject(with: id)
                let salary = try person?.integer(forKey: "salary") ?? 0
                try person?.setValue(.integer(salary + 1), forKey: "salary")
                try context.save()
            }
        }
        #expect(try await bench.value(id, "salary") == 20)
        #expect(try bench.container.stored(id, "salary") == 20)
    }
}
