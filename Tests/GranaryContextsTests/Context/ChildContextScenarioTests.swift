import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// The CHD scenarios of docs/core-data/behaviours.md#chd-child-contexts, NOT-09, and what else happens between a child
/// and its parent.
@Suite("Child contexts") struct ChildContextScenarioTests {
    @Test("CHD-01: what a child inserts is the parent's once the child is saved", arguments: StoreFactory.all)
    func insertions(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let child = parent.makeChild()
        #expect(child.parent === parent && parent.parent == nil)
        for name in ["a", "b", "c"] { _ = try child.person(name) }
        #expect(try child.count("Person") == 3 && parent.fetchAll("Person").isEmpty)
        try child.save()
        #expect(!child.hasChanges && parent.insertedObjects.count == 3)
        #expect(try parent.fetchAll("Person").map { $0["name"] } == ["a", "b", "c"])
        #expect(try container.makeContext().count("Person") == 0)
        try parent.save()
        #expect(try container.makeContext().count("Person") == 3)
    }

    @Test(
        "CHD-03: what the parent saves a child reads when it merges by itself", arguments: StoreFactory.kinds,
        [true, false])
    func automaticMerging(_ factory: StoreFactory, isAutomatic: Bool) throws {
        let parent = try Watched.container(factory).makeContext()
        let original = try parent.person("old", salary: 1)
        try parent.save()
        let child = parent.makeChild()
        child.automaticallyMergesChangesFromParent = isAutomatic
        let childObject = try #require(try child.lookUpObject(with: original.objectID))
        #expect(childObject["name"] == "old")
        try childObject.setValue(99, forKey: "salary")
        try original.setValue("new", forKey: "name")
        #expect(childObject["name"] == "old")
        try parent.save()
        #expect(childObject["name"] == (isAutomatic ? "new" : "old"))
        #expect(childObject["salary"] == 99 && original["salary"] == 1)
        try parent.delete(original)
        try parent.save()
        #expect(childObject.isDeleted == isAutomatic)
    }

    @Test("CHD-05: a transient value alone makes the parent changed", arguments: StoreFactory.kinds)
    func transientChanges(_ factory: StoreFactory) throws {
        let parent = try Watched.container(factory).makeContext()
        let original = try parent.person("Ann")
        try parent.save()
        let child = parent.makeChild()
        try child.lookUpObject(with: original.objectID)?.setValue(42, forKey: "mood")
        try child.save()
        #expect(parent.hasChanges && parent.updatedObjects == [original])
        #expect(original["mood"] == 42 && original.changedValues() == [:])
        try parent.save()
        #expect(!parent.hasChanges)
    }

    @Test(
        "NOT-09: the parent announces each save of a child once, and its own save tells all",
        arguments: StoreFactory.kinds)
    func announcements(_ factory: StoreFactory) async throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let (ann, bob) = (try parent.person("Ann"), try parent.person("Bob"))
        try parent.save()
        var saves = container.saves.makeAsyncIterator()
        let log = AnnouncementLog()
        log.observe(parent)
        let child = parent.makeChild()
        _ = try child.person("Cid")
        _ = try child.person("Dan")
        try child.save()
        #expect(log.takeAll() == [AnnouncementLog.Numbers(inserted: 2)])
        try child.lookUpObject(with: ann.objectID)?.setValue("Anna", forKey: "name")
        try child.save()
        #expect(log.takeAll() == [AnnouncementLog.Numbers(updated: 1)])
        try child.delete(try #require(try child.lookUpObject(with: bob.objectID)))
        try child.save()
        #expect(log.takeAll() == [AnnouncementLog.Numbers(deleted: 1)])
        _ = try child.person("Eve")
        try child.save()
        #expect(log.takeAll() == [AnnouncementLog.Numbers(inserted: 1)])
        // Without changes there is nothing to tell.
        try child.save()
        #expect(log.takeAll() == [])
        let gone = bob.objectID
        try parent.save()
        // The saves of the child were announced, and those of the parent after them.
        for _ in 0..<4 { #expect(await saves.next()?.isIntoParent == true) }
        let next = await saves.next()
        let changes = try #require(next)
        #expect(!changes.isIntoParent)
        #expect(changes.inserted.count == 3 && !changes.inserted.contains(where: \.isTemporaryID))
        #expect(changes.updated == [ann.objectID] && changes.deleted == [gone])
    }

    @Test("The parent's save gives the child's objects their permanent IDs", arguments: StoreFactory.all)
    func permanentIDs(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let child = parent.makeChild()
        let ann = try child.person("Ann")
        let rex = try child.pet("Rex", of: ann)
        let temporary = ann.objectID
        try child.save()
        #expect(ann.objectID == temporary && temporary.isTemporaryID && !ann.isInserted)
        let original = try #require(try parent.lookUpObject(with: temporary))
        #expect(original.isInserted && original !== ann)
        try parent.save()
        #expect(!ann.objectID.isTemporaryID && ann.objectID == original.objectID)
        #expect(child.registeredObject(for: ann.objectID) === ann && child.registeredObject(for: temporary) == nil)
        #expect(try rex.object(forKey: "owner") === ann && ann.objects(forKey: "pets") == [rex])
        // The object goes on as a stored one.
        try ann.setValue("Anna", forKey: "name")
        try child.save()
        try parent.save()
        #expect(try container.stored(ann.objectID, "name") == "Anna")
        #expect(try container.makeContext().count("Person") == 1)
    }

    @Test("A child that is changed while its parent gets IDs keeps its links", arguments: StoreFactory.kinds)
    func changedWhileRenamed(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let child = parent.makeChild()
        let ann = try child.person("Ann")
        try child.save()
        let rex = try child.pet("Rex", of: ann)
        try parent.save()
        #expect(try rex.object(forKey: "owner") === ann && ann.objects(forKey: "pets") == [rex])
        try child.save()
        try parent.save()
        let fresh = container.makeContext()
        #expect(try fresh.count("Pet") == 1)
        #expect(try fresh.lookUpObject(with: rex.objectID)?.object(forKey: "owner")?.objectID == ann.objectID)
    }

    @Test("A child deletes what the parent has not saved yet", arguments: StoreFactory.all)
    func deletionOfUnsaved(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let ann = try parent.person("Ann")
        let rex = try parent.pet("Rex", of: ann)
        let child = parent.makeChild()
        let childObject = try #require(try child.lookUpObject(with: ann.objectID))
        try child.delete(childObject)
        #expect(!ann.isDeleted)
        try child.save()
        // The rule of the pets is cascade.
        #expect(ann.isDeleted && rex.isDeleted && !parent.hasChanges)
        #expect(try parent.fetchAll("Person").isEmpty && childObject.managedObjectContext == nil)
        try parent.save()
        #expect(ann.managedObjectContext == nil)
        #expect(try container.makeContext().count("Person") == 0)
    }

    @Test(
        "A child sees what its parent has not saved when it first looks, and again when it refreshes",
        arguments: StoreFactory.all)
    func unsavedChangesOfTheParent(_ factory: StoreFactory) throws {
        let parent = try Watched.container(factory).makeContext()
        let (ann, bob) = (try parent.person("Ann", salary: 5), try parent.person("Bob"))
        try parent.save()
        try ann.setValue("Anna", forKey: "name")
        try parent.delete(bob)
        let rex = try parent.pet("Rex", of: ann)
        let cid = try parent.person("Cid")
        let child = parent.makeChild()
        #expect(try child.fetchAll("Person").map { $0["name"] } == ["Anna", "Cid"])
        #expect(try child.lookUpObject(with: bob.objectID) == nil && child.count("Person") == 2)
        let childObject = try #require(try child.lookUpObject(with: ann.objectID))
        #expect(!childObject.hasChanges && childObject["salary"] == 5)
        #expect(try childObject.objects(forKey: "pets").map(\.objectID) == [rex.objectID])
        var request = FetchRequest("Person", where: .compare(.keyPath("name"), .equal, .constant("Anna")))
        #expect(try child.fetch(request) == [childObject])
        request.predicate = .compare(.keyPath("name"), .equal, .constant("Ann"))
        #expect(try child.count(for: request) == 0)
        // What the child has looked at stays until it is refreshed.
        try ann.setValue("Anne", forKey: "name")
        try cid.setValue("Cyd", forKey: "name")
        #expect(childObject["name"] == "Anna")
        try child.refresh(childObject, mergeChanges: true)
        #expect(childObject["name"] == "Anne")
        // Changes of the child are its own until it is saved, and go with a rollback.
        try childObject.setValue("mine", forKey: "name")
        try child.delete(try #require(try child.lookUpObject(with: cid.objectID)))
        #expect(ann["name"] == "Anne" && !cid.isDeleted)
        child.rollback()
        #expect(childObject["name"] == "Anne" && !child.hasChanges)
        #expect(try child.count("Person") == 2)
    }

    @Test("A child of a child saves one level at a time", arguments: StoreFactory.all)
    func grandchild(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let ann = try parent.person("Ann")
        try parent.save()
        let child = parent.makeChild()
        let grandchild = child.makeChild()
        let grandchildObject = try #require(try grandchild.lookUpObject(with: ann.objectID))
        try grandchildObject.setValue("Anna", forKey: "name")
        let rex = try grandchild.pet("Rex", of: grandchildObject)
        #expect(try child.count("Pet") == 0)
        try grandchild.save()
        #expect(try child.count("Pet") == 1 && parent.count("Pet") == 0)
        #expect(ann["name"] == "Ann" && !parent.hasChanges)
        try child.save()
        #expect(ann["name"] == "Anna" && parent.hasChanges)
        #expect(try ann.objects(forKey: "pets").count == 1)
        #expect(try container.makeContext().count("Pet") == 0)
        try parent.save()
        #expect(!rex.objectID.isTemporaryID && rex.managedObjectContext === grandchild)
        #expect(try container.stored(rex.objectID, "name") == "Rex")
        #expect(try grandchildObject.objects(forKey: "pets") == [rex])
        try grandchild.delete(rex)
        for context in [grandchild, child, parent] { try context.save() }
        #expect(try container.makeContext().count("Pet") == 0)
    }

    @Test("A child keeps its parent")
    func keptParent() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let child = container.makeContext().makeChild()
        _ = try child.person("Ann")
        try child.save()
        let parent = try #require(child.parent)
        #expect(parent.insertedObjects.count == 1)
        try parent.save()
        #expect(try container.makeContext().count("Person") == 1)
    }

    @Test("A child merges the save of a sibling, and only that of a sibling", arguments: StoreFactory.kinds)
    func mergedFromSibling(_ factory: StoreFactory) async throws {
        let container = try Watched.container(factory)
        var saves = container.saves.makeAsyncIterator()
        let parent = container.makeContext()
        let (ann, bob) = (try parent.person("Ann"), try parent.person("Bob"))
        try parent.save()
        _ = await saves.next()
        let (first, second) = (parent.makeChild(), parent.makeChild())
        let stranger = container.makeContext().makeChild()
        let others = try [second, stranger, container.makeContext()].map { context in
            (context, try context.existingObject(with: ann.objectID), try context.existingObject(with: bob.objectID))
        }
        try first.existingObject(with: ann.objectID).setValue("Anna", forKey: "name")
        try first.delete(first.existingObject(with: bob.objectID))
        let cid = try first.person("Cid")
        try first.save()
        let changes = try #require(await saves.next())
        #expect(changes.isIntoParent)
        for (context, _, _) in others { try context.mergeChanges(from: changes) }
        #expect(others.map { $0.1["name"] } == ["Anna", "Ann", "Ann"])
        #expect(others.map(\.2.isDeleted) == [true, false, false])
        #expect(others.map { $0.0.registeredObject(for: cid.objectID) != nil } == [true, false, false])
    }

    @Test("A save of a child that changes nothing in effect is not announced")
    func nothingChanged() async throws {
        let container = try PeopleModel.container()
        let parent = container.makeContext()
        let ann = try parent.person("Ann", salary: 1)
        try parent.save()
        var saves = container.saves.makeAsyncIterator()
        let child = parent.makeChild()
        let own = try child.existingObject(with: ann.objectID)
        try own.setValue(2, forKey: "salary")
        try own.setValue(1, forKey: "salary")
        #expect(child.hasChanges)
        try child.save()
        #expect(!child.hasChanges)
        try own.setValue(3, forKey: "salary")
        try child.save()
        #expect(await saves.next()?.updated == [ann.objectID])
    }
}
