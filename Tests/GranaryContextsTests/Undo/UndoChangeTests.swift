import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// One kind of change after the other, undone and redone before it is saved.
@Suite("Undo of changes") struct UndoChangeTests {
    let container: PersistentContainer
    let context: ManagedObjectContext
    let manager = ObjectUndoManager()

    init() throws {
        container = try PeopleModel.container()
        context = container.makeContext()
        context.undoManager = manager
    }

    private func insert(_ entity: String, _ name: AttributeValue, forKey key: String = "name") throws -> ManagedObject {
        let object = try context.insert(into: entity)
        try object.setValue(name, forKey: key)
        return object
    }

    /// Saved, with nothing to undo.
    private func saveAsStart() throws {
        try context.save()
        manager.removeAllActions()
    }

    /// Of all people, in order.
    private func names() throws -> [AttributeValue?] {
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        return try context.fetch(request).map { $0["name"] }
    }

    @Test("The seeds' retrieve, insert, edit, delete, with undo")
    func retrieveInsertEditDelete() throws {
        for name: AttributeValue in ["Ann", "Bob"] { _ = try insert("Person", name) }
        try saveAsStart()
        let people = try context.fetchAll("Person")
        var states = [try names()]
        for action in ["Insert", "Edit", "Delete"] {
            switch action {
            case "Insert": _ = try insert("Person", "Cid")
            case "Edit": try people[0].setValue("Zoe", forKey: "name")
            default: try context.delete(people[1])
            }
            manager.setActionName(action)
            try context.processPendingChanges()
            states.append(try names())
        }
        #expect(states == [["Ann", "Bob"], ["Ann", "Bob", "Cid"], ["Bob", "Cid", "Zoe"], ["Cid", "Zoe"]])
        for (place, action) in ["Insert", "Edit", "Delete"].enumerated().reversed() {
            #expect(manager.undoActionName == action)
            try manager.undo()
            #expect(try names() == states[place], "undo \(action)")
        }
        #expect(!context.hasChanges && !manager.canUndo)
        for (place, action) in ["Insert", "Edit", "Delete"].enumerated() {
            #expect(manager.redoActionName == action)
            try manager.redo()
            #expect(try names() == states[place + 1], "redo \(action)")
        }
        try context.save()
        let stored = try container.makeContext().fetchAll("Person")
        #expect(Set(stored.map { $0["name"] }) == ["Cid", "Zoe"])
    }

    @Test("A transient attribute is undone like any other; a primitive value is not")
    func transientAttribute() throws {
        let person = try insert("Person", "Ann")
        try saveAsStart()
        try person.setValue(5, forKey: "mood")
        try person.setPrimitiveValue("kept", forKey: "note")
        try context.processPendingChanges()
        try person.setValue(6, forKey: "mood")
        try manager.undo()
        #expect(person["mood"] == 5)
        try manager.undo()
        #expect(person["mood"] == 0 && person["note"] == "kept")
        try manager.redo()
        #expect(person["mood"] == 5 && context.hasChanges)
    }

    @Test("An insertion with links: the other ends lose them, and get them again")
    func insertion() throws {
        let person = try insert("Person", "Ann")
        try saveAsStart()
        let pet = try insert("Pet", "Rex")
        try pet.setObject(person, forKey: "owner")
        try manager.undo()
        #expect(pet.isDeleted && !pet.isInserted && !person.isUpdated && !context.hasChanges)
        #expect(try person.objects(forKey: "pets") == [])
        #expect(try context.fetchAll("Pet").isEmpty)
        try manager.redo()
        #expect(!pet.isDeleted && context.insertedObjects == [pet] && context.updatedObjects == [person])
        #expect(try person.objects(forKey: "pets") == [pet] && pet["name"] == "Rex")
        #expect(try pet.object(forKey: "owner") === person)
        try context.save()
        #expect(try container.makeContext().fetchAll("Pet").map { $0["name"] } == ["Rex"])
    }

    @Test("A deletion before the first save")
    func deletionOfNewObject() throws {
        let (person, pet) = (try insert("Person", "Ann"), try insert("Pet", "Rex"))
        try pet.setObject(person, forKey: "owner")
        try context.processPendingChanges()
        try context.delete(pet)
        try manager.undo()
        #expect(context.insertedObjects == [person, pet])
        #expect(try person.objects(forKey: "pets") == [pet] && pet.object(forKey: "owner") === person)
        try manager.redo()
        #expect(context.insertedObjects == [person] && pet.isDeleted)
        try context.save()
        #expect(pet.managedObjectContext == nil)
        #expect(try container.makeContext().count("Pet") == 0)
    }

    /// A boss with staff below staff, each with a pet, all of one department.
    private func cascadingPeople() throws -> [ManagedObject] {
        let department = try insert("Department", "Sales", forKey: "title")
        let people = try (0..<4).map { try insert("Person", .string("\($0)")) }
        let pets = try people.map { person in
            let pet = try insert("Pet", person["name"] ?? "")
            try pet.setObject(person, forKey: "owner")
            return pet
        }
        for (boss, member) in zip(people, people.dropFirst()) { try member.setObject(boss, forKey: "boss") }
        try department.setObjects(people, forKey: "employees")
        return [department] + people + pets
    }

    @Test(
        "All that a cascade has taken along comes back, linked as it was; also when it goes round",
        arguments: [true, false])
    func cascade(_ isCycle: Bool) throws {
        let objects = try cascadingPeople()
        let (department, boss) = (objects[0], objects[1])
        if isCycle { try boss.setObject(objects[4], forKey: "boss") }
        try saveAsStart()
        try context.delete(boss)
        #expect(context.deletedObjects == Set(objects.dropFirst()))
        #expect(try department.objects(forKey: "employees") == [])
        try manager.undo()
        #expect(!context.hasChanges && objects.allSatisfy { !$0.isDeleted && !$0.isUpdated })
        #expect(try department.objects(forKey: "employees") == Array(objects[1...4]))
        for place in 1...4 {
            let pets = try objects[place].objects(forKey: "pets")
            #expect(pets == [objects[place + 4]])
            let staff = try objects[place].objects(forKey: "staff")
            #expect(staff == (place < 4 ? [objects[place + 1]] : isCycle ? [boss] : []))
        }
        try manager.redo()
        #expect(context.deletedObjects == Set(objects.dropFirst()) && context.updatedObjects == [department])
        try context.save()
        let fresh = container.makeContext()
        #expect(try fresh.count("Person") == 0 && fresh.count("Pet") == 0 && fresh.count("Department") == 1)
        try manager.undo()
        try context.save()
        #expect(try fresh.count("Person") == 4 && fresh.count("Pet") == 4)
        let again = try #require(try fresh.fetchAll("Department").first)
        #expect(Set(try again.objects(forKey: "employees").map { $0["name"] }) == ["0", "1", "2", "3"])
    }

    /// The names of all pets' owners.
    private func storedOwners() throws -> [AttributeValue?] {
        let fresh = container.makeContext()
        return try fresh.fetchAll("Pet").map { try $0.object(forKey: "owner")?["name"] }
    }

    @Test("Objects that nobody holds are kept by what can be undone")
    func unheldObjects() throws {
        do {
            let person = try insert("Person", "Ann")
            let pet = try insert("Pet", "Rex")
            try pet.setObject(person, forKey: "owner")
        }
        try manager.undo()
        try context.save()
        #expect(try context.fetchAll("Person").isEmpty)
        try manager.redo()
        try context.save()
        #expect(try storedOwners() == ["Ann"])
        do { try context.fetchAll("Person").first?.setValue("Bea", forKey: "name") }
        try context.save()
        #expect(try storedOwners() == ["Bea"])
        try manager.undo()
        try context.save()
        #expect(try storedOwners() == ["Ann"])
        manager.removeAllActions()
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("A change of objects that were turned into faults since")
    func faults() throws {
        let (person, pet) = (try insert("Person", "Ann"), try insert("Pet", "Rex"))
        try saveAsStart()
        try person.setValue("Bea", forKey: "name")
        try person.add(pet, forKey: "pets")
        try context.save()
        try context.refreshAllObjects()
        #expect(person.isFault && pet.isFault)
        try manager.undo()
        #expect(person["name"] == "Ann" && context.updatedObjects == [person, pet])
        #expect(try person.objects(forKey: "pets") == [] && pet.object(forKey: "owner") == nil)
        try context.save()
        try context.refreshAllObjects()
        try manager.redo()
        #expect(person["name"] == "Bea")
        #expect(try person.objects(forKey: "pets") == [pet] && pet.object(forKey: "owner") === person)
    }

    @Test("Nothing is undone when a fault cannot be read any more")
    func goneObject() throws {
        let (person, other) = (try insert("Person", "Ann"), try insert("Person", "Cid"))
        try saveAsStart()
        try person.setValue("Bea", forKey: "name")
        try other.setValue("Dan", forKey: "name")
        try context.save()
        try context.refresh(person, mergeChanges: true)
        let stranger = container.makeContext()
        try stranger.delete(try #require(try stranger.lookUpObject(with: person.objectID)))
        try stranger.save()
        let error = #expect(throws: GranaryError.self) { try manager.undo() }
        #expect(error?.diagnostics.map(\.code) == [.objectGone])
        #expect(manager.canUndo && !manager.canRedo && other["name"] == "Dan" && !context.hasChanges)
    }

    @Test("A refreshed object has lost its changes; undo of them leaves nothing to save")
    func discardedChange() throws {
        let person = try insert("Person", "Ann")
        try saveAsStart()
        try person.setValue("Bea", forKey: "name")
        try context.refresh(person, mergeChanges: false)
        #expect(!context.hasChanges)
        try manager.undo()
        #expect(person["name"] == "Ann" && !context.hasChanges)
    }
}
