import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Objects that outlive their context") struct OutlivingObjectsTests {
    private func container(_ factory: StoreFactory) throws -> PersistentContainer {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        for name in ["Ann", "Bob", "Cid", "Dan"] { _ = try writer.pet("Pet of \(name)", of: try writer.person(name)) }
        try writer.save()
        return container
    }

    /// Objects of a context that is gone: read, never read, changed, deleted, and new.
    private func orphans(
        of container: PersistentContainer, of parent: ManagedObjectContext? = nil
    ) throws -> (people: [ManagedObject], new: ManagedObject) {
        let context = parent?.makeChild() ?? container.makeContext()
        context.transactionAuthor = "seeder"
        let people = try context.fetch("Person", sort: "name")
        _ = people[0]["name"]
        try people[2].setValue("changed", forKey: "name")
        try context.delete(people[3])
        return (people, try context.person("new"))
    }

    @Test("They go on in a new context, without unsaved changes", arguments: StoreFactory.kinds)
    func goOn(_ factory: StoreFactory) throws {
        let container = try container(factory)
        let (people, new) = try orphans(of: container)
        let context = try #require(people[0].managedObjectContext)
        #expect(people.allSatisfy { $0.managedObjectContext === context && !$0.hasChanges })
        #expect(context.transactionAuthor == "seeder" && !context.hasChanges)
        #expect(try people.map { try $0.string(forKey: "name") } == ["Ann", "Bob", "Cid", "Dan"])
        // Relationships are followed, by name and by property.
        #expect(try people[0].objects(forKey: "pets").map { $0["name"] } == ["Pet of Ann"])
        let pets: Set<ManagedObject> = people[1].typedSet(forKey: "pets")
        #expect(pets.map { $0["name"] } == ["Pet of Bob"])
        // Changes can be saved.
        try people[0].setObject(people[1], forKey: "boss")
        people[0].setTypedValue("Eve", forKey: "name")
        try context.save()
        #expect(try container.stored(people[0].objectID, "name") == "Eve")
        // A new object was never saved.
        #expect(new.managedObjectContext == nil && new["name"] == "new")
        let error = try #require(throws: GranaryError.self) { try new.setValue("x", forKey: "name") }
        #expect(error.message.contains("its context was released"))
        // The next context that takes it says what was lost.
        new.setTypedValue("x", forKey: "name")
        let other = container.makeContext()
        #expect(throws: GranaryError.self) { try other.insert(new) }
        try other.insert(new)
        try other.save()
        #expect(try container.makeContext().count("Person") == 5)
    }

    @Test("Those of a child go on in a child of the same parent", arguments: StoreFactory.kinds)
    func children(_ factory: StoreFactory) throws {
        let container = try container(factory)
        let parent = container.makeContext()
        let (people, _) = try orphans(of: container, of: parent)
        let child = try #require(people[0].managedObjectContext)
        #expect(child.parent === parent && !child.hasChanges && !parent.hasChanges)
        try people[0].setValue("Eve", forKey: "name")
        try child.save()
        #expect(parent.updatedObjects.map { $0["name"] } == ["Eve"])
    }

    @Test("A context with unsaved changes is released, and its objects with it", arguments: StoreFactory.kinds)
    func released(_ factory: StoreFactory) throws {
        let container = try container(factory)
        weak var context: ManagedObjectContext?
        weak var successor: ManagedObjectContext?
        weak var changed: ManagedObject?
        weak var new: ManagedObject?
        do {
            let made = container.makeContext()
            made.undoManager = ObjectUndoManager()
            made.retainsRegisteredObjects = true
            context = made
            let person = try #require(try made.fetchAll("Person").first)
            try person.setValue("changed", forKey: "name")
            (changed, new) = (person, try made.person("new"))
        }
        #expect(context == nil && changed == nil && new == nil)
        do {
            let (people, _) = try orphans(of: container)
            successor = people[0].managedObjectContext
            #expect(successor != nil)
        }
        #expect(successor == nil)
    }

    @Test("An object that only the successor of its context has found goes on, too", arguments: StoreFactory.kinds)
    func further(_ factory: StoreFactory) throws {
        let container = try container(factory)
        func pet() throws -> ManagedObject {
            let (people, _) = try orphans(of: container)
            return try #require(try people[0].objects(forKey: "pets").first)
        }
        let found = try pet()
        #expect(try found.object(forKey: "owner")?.string(forKey: "name") == "Ann")
    }

    @Test("A fault whose row is gone does not go on", arguments: StoreFactory.kinds)
    func inaccessible(_ factory: StoreFactory) throws {
        let container = try container(factory)
        func stale() throws -> ManagedObject {
            let context = container.makeContext()
            let ann = try #require(try context.fetch("Person", sort: "name").first)
            try container.delete(ann.objectID)
            #expect(ann["name"] == nil && ann.isDeleted)
            return ann
        }
        let ann = try stale()
        #expect(ann.managedObjectContext == nil && !ann.hasChanges && ann["name"] == nil)
        let error = try #require(throws: GranaryError.self) { try ann.setValue("x", forKey: "name") }
        #expect(error.message.contains("was deleted in the store by others"))
    }
}
