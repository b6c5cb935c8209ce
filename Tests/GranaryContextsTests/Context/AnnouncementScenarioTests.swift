import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// The NOT scenarios of docs/core-data/behaviours.md#not-notifications that concern one context, under their numbers.
@Suite("Announcements of changes") struct AnnouncementScenarioTests {
    typealias Numbers = AnnouncementLog.Numbers

    let log = AnnouncementLog()

    @Test("NOT-01: changes are announced once", arguments: StoreFactory.kinds)
    func announcedOnce(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        log.observe(context)
        var inserted: Set<ManagedObject> = []
        context.addObserver { inserted.formUnion($0.inserted) }
        let ann = try context.person("Ann")
        #expect(log.takeAll() == [])
        try context.processPendingChanges()
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(inserted: 1)] && inserted == [ann])
    }

    @Test("DIS-4: a change of an unsaved object is an update, once the insertion was announced")
    func changedInsertion() throws {
        let context = try PeopleModel.container().makeContext()
        log.observe(context)
        let ann = try context.insert(into: "Person")
        try ann.setValue("Ann", forKey: "name")
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(inserted: 1)])
        try ann.setValue("Anna", forKey: "name")
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(updated: 1)])
        try context.delete(ann)
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(deleted: 1)])
        // What comes and goes in between is no news.
        try context.delete(try context.person("Bob"))
        try context.processPendingChanges()
        #expect(log.takeAll() == [])
    }

    @Test("Both ends of a relationship are announced; so is what delete rules do")
    func links() throws {
        let context = try PeopleModel.container().makeContext()
        let (ann, rex) = (try context.person("Ann"), try context.pet("Rex"))
        let boss = try context.person("Bob")
        try context.save()
        log.observe(context)
        try rex.setObject(ann, forKey: "owner")
        try ann.setObject(boss, forKey: "boss")
        try context.save()
        #expect(log.takeAll() == [Numbers(updated: 3)])
        try context.delete(ann)
        try context.save()
        #expect(log.takeAll() == [Numbers(updated: 1, deleted: 2)])
    }

    @Test("NOT-03: perform announces at its end, performAndWait does not", arguments: StoreFactory.kinds)
    func backgroundContext(_ factory: StoreFactory) async throws {
        let background = try Watched.container(factory).newBackgroundContext()
        let log = AnnouncementLog()
        try background.performAndWait { context in _ = log.observe(context) }
        try await background.perform { context in _ = try context.person("Ann") }
        #expect(log.takeAll() == [Numbers(inserted: 1)])
        try background.performAndWait { context in _ = try context.person("Bob") }
        #expect(log.takeAll() == [])
        try background.performAndWait { context in try context.processPendingChanges() }
        #expect(log.takeAll() == [Numbers(inserted: 1)])
        try background.performAndWait { context in
            _ = try context.person("Cid")
            try context.save()
        }
        #expect(log.takeAll() == [Numbers(inserted: 1)])
        // What is not saved stays for the next piece of work, which comes after those before it.
        try await background.perform { context in _ = try context.person("Dan") }
        #expect(try await background.perform { context in context.insertedObjects.count } == 1)
        await #expect(throws: GranaryError.self) {
            try await background.perform { context in _ = try context.insert(into: "Nobody") }
        }
        #expect(throws: GranaryError.self) {
            try background.performAndWait { context in _ = try context.insert(into: "Nobody") }
        }
    }

    @Test("NOT-05: refreshing all clean objects announces just them as refreshed", arguments: StoreFactory.kinds)
    func refreshedObjects(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        for name in ["Ann", "Bob", "Cid"] { _ = try writer.person(name) }
        try writer.save()
        let context = container.makeContext()
        let people = try context.fetchAll("Person")
        try context.fulfill(people)
        log.observe(context)
        try context.refreshAllObjects()
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(refreshed: 3)])
        #expect(context.registeredObjects == Set(people))
    }

    @Test("NOT-07: a save announces its changes before, and tells their numbers after", arguments: StoreFactory.all)
    func saved(_ factory: StoreFactory) async throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        try context.save()
        let log = AnnouncementLog()
        log.observe(context)
        var saves = container.saves.makeAsyncIterator()
        let new = [try context.person("Cid"), try context.person("Dan")]
        try ann.setValue("Anna", forKey: "name")
        let gone = bob.objectID
        try context.delete(bob)
        try context.save()
        #expect(log.takeAll() == [Numbers(inserted: 2, updated: 1, deleted: 1)])
        let next = await saves.next()
        let changes = try #require(next)
        #expect(changes.inserted == Set(new.map(\.objectID)))
        #expect(changes.updated == [ann.objectID] && changes.deleted == [gone])
    }

    @Test("Changes made by an observer are announced the next time; an ended observation hears nothing")
    func observers() throws {
        let context = try PeopleModel.container().makeContext()
        let ann = try context.person("Ann")
        try context.save()
        var calls = 0
        let first = context.addObserver { _ in
            calls += 1
            if calls == 1 { try? ann.setValue("observed", forKey: "note") }
        }
        let observation = log.observe(context)
        try ann.setValue("Anna", forKey: "name")
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(updated: 1)] && calls == 1)
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(updated: 1)] && calls == 2)
        context.removeObserver(observation)
        try ann.setValue("again", forKey: "name")
        try context.processPendingChanges()
        #expect(log.takeAll() == [] && calls == 3)
        context.removeObserver(first)
        try ann.setValue("unheard", forKey: "name")
        log.observe(context)
        try context.processPendingChanges()
        #expect(log.takeAll() == [] && calls == 3)
    }

    @Test("A rollback is announced as refreshing")
    func rollback() throws {
        let context = try PeopleModel.container().makeContext()
        let ann = try context.person("Ann")
        try context.save()
        try ann.setValue("Anna", forKey: "name")
        log.observe(context)
        context.rollback()
        try context.processPendingChanges()
        #expect(log.takeAll() == [Numbers(refreshed: 1)])
    }
}
