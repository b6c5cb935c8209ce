import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Permanent IDs and transient values of child contexts") struct ChildContextIDTests {
    @Test("A child obtains permanent IDs through its parents", arguments: StoreFactory.kinds)
    func obtained(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let child = parent.makeChild()
        let grandchild = child.makeChild()
        let ann = try grandchild.person("Ann")
        let rex = try grandchild.pet("Rex", of: ann)
        try grandchild.obtainPermanentIDs(for: [ann])
        let id = ann.objectID
        #expect(!id.isTemporaryID && rex.objectID.isTemporaryID)
        #expect(grandchild.registeredObject(for: id) === ann)
        #expect(try rex.object(forKey: "owner") === ann)
        try grandchild.save()
        // The contexts above know it by the same ID.
        #expect(try child.existingObject(with: id)["name"] == "Ann")
        try child.save()
        #expect(try parent.existingObject(with: id).isInserted)
        try parent.obtainPermanentIDs(for: try parent.fetchAll("Pet"))
        #expect(!rex.objectID.isTemporaryID)
        try parent.save()
        #expect(ann.objectID == id && !ann.isInserted)
        #expect(try container.stored(id, "name") == "Ann")
        let reader = container.makeContext()
        let stored = try reader.existingObject(with: rex.objectID)
        #expect(try stored.object(forKey: "owner")?.objectID == id)
    }

    @Test("Permanent IDs do not depend on the rest of what would be saved", arguments: StoreFactory.kinds)
    func independent(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let department = try context.department("Sales")
        let member = try context.person("Ann")
        try member.setObject(department, forKey: "department")
        try context.save()
        // This deletion cannot be saved.
        try context.delete(department)
        let bob = try context.person("Bob")
        try context.obtainPermanentIDs(for: [bob])
        let id = bob.objectID
        #expect(!id.isTemporaryID)
        context.rollback()
        #expect(try context.count("Person") == 1)
    }

    @Test("An object of another context is an error", arguments: [false, true])
    func strangers(_ isChild: Bool) throws {
        let container = try PeopleModel.container()
        let parent = container.makeContext()
        let context = isChild ? parent.makeChild() : parent
        let (own, stranger) = (try context.person("Ann"), try container.makeContext().person("Bob"))
        let error = #expect(throws: GranaryError.self) { try context.obtainPermanentIDs(for: [own, stranger]) }
        #expect(error?.code == .usage)
        #expect(own.objectID.isTemporaryID && stranger.objectID.isTemporaryID)
    }

    @Test(
        "A child's object does not inherit transient values; a child's own reach the parent",
        arguments: StoreFactory.kinds)
    func transientValues(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let parent = container.makeContext()
        let ann = try parent.person("Ann")
        try parent.save()
        try ann.setValue(5, forKey: "mood")
        let bob = try parent.person("Bob")
        try bob.setValue(6, forKey: "mood")
        let child = parent.makeChild()
        for object in [ann, bob] {
            let own = try child.existingObject(with: object.objectID)
            #expect(own["mood"] == 0 && own["name"] == object["name"])
        }
        let own = try child.existingObject(with: ann.objectID)
        try own.setValue("Anna", forKey: "name")
        try child.save()
        #expect(ann["mood"] == 5 && ann["name"] == "Anna")
        // CHD-05
        try parent.save()
        try own.setValue(9, forKey: "mood")
        try child.save()
        #expect(ann["mood"] == 9 && parent.hasChanges && !ann.hasPersistentChangedValues)
    }

    @Test(
        "A child's new object takes the place of a fault that the parent has made for its ID", arguments: [false, true])
    func faultOfTheParent(_ isPermanent: Bool) throws {
        let container = try PeopleModel.container()
        let parent = container.makeContext()
        let child = parent.makeChild()
        let ann = try child.person("Ann")
        let rex = try child.pet("Rex", of: ann)
        if isPermanent { try child.obtainPermanentIDs(for: [ann, rex]) }
        let fault = parent.object(with: ann.objectID)
        #expect(fault.isFault)
        try child.save()
        #expect(fault.isInserted && !fault.isFault && fault["name"] == "Ann")
        #expect(parent.registeredObject(for: ann.objectID) === fault)
        parent.mergePolicy = .mergeByPropertyStoreTrump
        try parent.save()
        #expect(try container.stored(ann.objectID, "name") == "Ann")
        let reader = container.makeContext()
        let stored = try reader.existingObject(with: rex.objectID)
        #expect(try stored.object(forKey: "owner")?.objectID == ann.objectID)
    }
}
