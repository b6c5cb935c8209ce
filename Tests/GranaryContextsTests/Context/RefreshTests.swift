import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// What refreshing does to changes, to new objects and to both ends of relationships.
@Suite("Refreshing") struct RefreshTests {
    @Test("DIS-8: an unsaved object that is refreshed is a fault, then new again", arguments: StoreFactory.all)
    func unsavedObject(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.refresh(ann, mergeChanges: true)
        #expect(!ann.isFault && ann["name"] == "Ann")
        try context.refresh(ann, mergeChanges: false)
        #expect(ann.isFault && ann.isInserted && context.insertedObjects == [ann])
        #expect(ann["name"] == "buddy" && !ann.isFault)
        try context.save()
        #expect(try container.stored(ann.objectID, "name") == "buddy")
    }

    @Test("A save fires an unsaved object that was refreshed", arguments: StoreFactory.all)
    func unsavedFault(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.refresh(ann, mergeChanges: false)
        try context.save()
        #expect(try container.stored(ann.objectID, "name") == "buddy")
        #expect(try container.stored(ann.objectID, "number") == 7)
        #expect(ann["name"] == "buddy")
    }

    @Test("An unsaved object that is refreshed leaves its relationships at both ends", arguments: StoreFactory.all)
    func unsavedLinks(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        let rex = try context.pet("Rex", of: ann)
        try ann.setObject(bob, forKey: "boss")
        try context.refresh(ann, mergeChanges: false)
        #expect(try ann.objects(forKey: "pets") == [])
        #expect(try ann.object(forKey: "boss") == nil)
        #expect(try rex.object(forKey: "owner") == nil)
        #expect(try bob.objects(forKey: "staff") == [])
    }

    @Test("With merging, changes stay on top of what is stored", arguments: StoreFactory.all)
    func merging(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann", salary: 10)
        try context.save()
        try container.change(ann.objectID, "name", to: "theirs")
        try container.change(ann.objectID, "note", to: "theirs")
        try ann.setValue("ours", forKey: "note")
        try ann.setValue(99, forKey: "salary")
        try context.refresh(ann, mergeChanges: true)
        #expect(ann["name"] == "theirs" && ann["note"] == "ours" && ann["salary"] == 99)
        #expect(ann.changedValues() == ["note": .attribute("ours"), "salary": .attribute(99)])
        #expect(try ann.committedValues(forKeys: ["note"]) == ["note": .attribute("theirs")])
        // The version is the stored one, so the save goes through.
        try context.save()
        #expect(try container.stored(ann.objectID, "name") == "theirs")
        #expect(try container.stored(ann.objectID, "note") == "ours")
    }

    @Test("An edit that the store has by now is no change any more", arguments: StoreFactory.all)
    func equalEdit(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.save()
        try ann.setValue("same", forKey: "name")
        try container.change(ann.objectID, "name", to: "same")
        try context.refresh(ann, mergeChanges: true)
        #expect(!ann.isUpdated && !context.hasChanges && ann["name"] == "same")
    }

    @Test("Changes of an object that is gone are not lost by refreshing", arguments: StoreFactory.all)
    func goneObject(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.save()
        try ann.setValue("ours", forKey: "name")
        try container.delete(ann.objectID)
        let error = #expect(throws: GranaryError.self) { try context.refresh(ann, mergeChanges: true) }
        #expect(error?.diagnostics.first?.coreDataCode == 133_000)
        #expect(ann["name"] == "ours" && ann.isUpdated)
    }

    @Test("A to-one that is refreshed goes back at both ends", arguments: StoreFactory.all)
    func toOneLinks(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        let (rex, tom) = (try context.pet("Rex", of: ann), try context.pet("Tom", of: bob))
        try context.save()
        try rex.setObject(bob, forKey: "owner")
        try context.refresh(rex, mergeChanges: false)
        #expect(rex.isFault && !rex.hasChanges)
        #expect(try rex.object(forKey: "owner") === ann)
        #expect(try ann.objects(forKey: "pets") == [rex])
        #expect(try bob.objects(forKey: "pets") == [tom])
        try context.save()
        #expect(try rex.object(forKey: "owner") === ann)
    }

    @Test("A to-many that is refreshed goes back; its former and later members agree", arguments: StoreFactory.all)
    func toManyLinks(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        let (rex, tom) = (try context.pet("Rex", of: ann), try context.pet("Tom", of: bob))
        try context.save()
        // Rex leaves Ann, Tom leaves Bob.
        try bob.setObjects([rex], forKey: "pets")
        try context.refresh(bob, mergeChanges: false)
        #expect(try bob.objects(forKey: "pets") == [tom])
        #expect(try tom.object(forKey: "owner") === bob)
        let owner = try rex.object(forKey: "owner")
        #expect(owner !== bob)
        #expect(try ann.objects(forKey: "pets") == (owner === ann ? [rex] : []))
    }

    @Test("A clean object takes over relationships that others have saved", arguments: StoreFactory.all)
    func cleanLinks(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        let rex = try context.pet("Rex", of: ann)
        try context.save()
        let other = container.makeContext()
        let tom = try other.pet("Tom", of: try other.lookUpObject(with: ann.objectID))
        try other.save()
        #expect(try ann.objects(forKey: "pets") == [rex])
        try context.refreshAllObjects()
        #expect(try ann.objects(forKey: "pets").map(\.objectID) == [rex.objectID, tom.objectID])
    }

    @Test("Deleted objects are left alone, those of other contexts refused", arguments: StoreFactory.all)
    func leftAlone(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.save()
        try ann.setValue("edited", forKey: "name")
        #expect(throws: GranaryError.self) { try container.makeContext().refresh(ann, mergeChanges: false) }
        #expect(ann.isUpdated && ann["name"] == "edited")
        try context.delete(ann)
        try context.refresh(ann, mergeChanges: false)
        #expect(ann.isDeleted && !ann.isFault)
    }
}
