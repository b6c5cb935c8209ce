import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// What happens when a child and its parent have both changed something, and when the parent cannot take a save.
@Suite("Child contexts, both sides changed") struct ChildContextConflictTests {
    @Test("Both add members to one to-many: all stay", arguments: StoreFactory.all)
    func membersOfBoth(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let ann = try parent.person("Ann")
        let (rex, old) = (try parent.pet("Rex", of: ann), try parent.pet("Old", of: ann))
        try parent.save()
        let child = parent.makeChild()
        let childObject = try #require(try child.lookUpObject(with: ann.objectID))
        #expect(try childObject.objects(forKey: "pets").count == 2)
        let mine = try child.pet("Mine", of: childObject)
        try childObject.remove(try #require(try child.lookUpObject(with: old.objectID)), forKey: "pets")
        let yours = try parent.pet("Yours", of: ann)
        try child.save()
        let found = try ann.objects(forKey: "pets").map(\.objectID)
        #expect(Set(found) == [rex.objectID, mine.objectID, yours.objectID])
        #expect(try old.object(forKey: "owner") == nil)
        try parent.save()
        let fresh = container.makeContext()
        let stored = try #require(try fresh.lookUpObject(with: ann.objectID))
        #expect(
            try Set(stored.objects(forKey: "pets").map(\.objectID)) == [
                rex.objectID, mine.objectID, yours.objectID,
            ])
    }

    @Test("Different values of one object changed on both sides are both kept", arguments: StoreFactory.kinds)
    func valuesOfBoth(_ factory: StoreFactory) throws {
        let parent = try Watched.container(factory).makeContext()
        let ann = try parent.person("Ann", salary: 1)
        try parent.save()
        let child = parent.makeChild()
        let childObject = try #require(try child.lookUpObject(with: ann.objectID))
        try childObject.setValue(99, forKey: "salary")
        try childObject.setValue("child", forKey: "note")
        try ann.setValue("Anna", forKey: "name")
        try ann.setValue("parent", forKey: "note")
        try child.save()
        #expect(ann["name"] == "Anna" && ann["salary"] == 99)
        // What both have changed is as the child, who came last, has it.
        #expect(ann["note"] == "child")
    }

    @Test("A child's save that breaks a rule leaves the parent as it was", arguments: StoreFactory.kinds)
    func refusedSave(_ factory: StoreFactory) throws {
        let parent = try Watched.container(factory).makeContext()
        let ann = try parent.person("Ann")
        try parent.save()
        let log = AnnouncementLog()
        log.observe(parent)
        let child = parent.makeChild()
        try child.lookUpObject(with: ann.objectID)?.setValue("Anna", forKey: "name")
        let bad = try child.insert(into: "Person")
        try bad.setValue(nil, forKey: "name")
        let error = #expect(throws: GranaryError.self) { try child.save() }
        #expect(error?.summary == ["Person.name 1570"])
        #expect(!parent.hasChanges && ann["name"] == "Ann" && log.takeAll() == [])
        #expect(try parent.count("Person") == 1)
        #expect(child.insertedObjects == [bad] && child.updatedObjects.count == 1)
        try bad.setValue("Bob", forKey: "name")
        try child.save()
        #expect(ann["name"] == "Anna" && parent.insertedObjects.count == 1)
    }

    @Test(
        "A child's change of an object that its parent has deleted is refused as a whole", arguments: StoreFactory.kinds
    )
    func deletedInParent(_ factory: StoreFactory) throws {
        let parent = try Watched.container(factory).makeContext()
        let ann = try parent.person("Ann")
        try parent.save()
        let child = parent.makeChild()
        try child.lookUpObject(with: ann.objectID)?.setValue("Anna", forKey: "name")
        _ = try child.person("Bob")
        try parent.delete(ann)
        let error = #expect(throws: GranaryError.self) { try child.save() }
        #expect(error?.diagnostics.first?.coreDataCode == 133_000)
        #expect(parent.insertedObjects.isEmpty && child.insertedObjects.count == 1 && child.updatedObjects.count == 1)
    }

    @Test("Unique values are asked for by the save into the store", arguments: StoreFactory.kinds)
    func uniqueValues(_ factory: StoreFactory) throws {
        let parent = try PersistentContainer(ConformanceModel.model, factory).makeContext()
        try parent.insert(into: "Account").setValue("a", forKey: "email")
        try parent.save()
        let child = parent.makeChild()
        let childObject = try child.insert(into: "Account")
        try childObject.setValue("a", forKey: "email")
        try child.save()
        let error = #expect(throws: GranaryError.self) { try parent.save() }
        #expect(error?.summary == ["Account.email 1551"])
    }
}
