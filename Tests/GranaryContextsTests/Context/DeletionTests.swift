import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// Delete rules, with the DEL scenarios of docs/core-data/behaviours.md#del-delete-rules under their numbers.
@Suite("Deletion") struct DeletionTests {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init() throws {
        container = try PeopleModel.container()
        context = container.makeContext()
    }

    @Test("DEL-01: cascade takes the related objects along")
    func cascade() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try person.add(pet, forKey: "pets")
        try context.save()
        try context.delete(person)
        #expect(pet.isDeleted)
        try context.save()
        #expect(try container.makeContext().fetchAll("Pet").isEmpty)
    }

    @Test("DEL-03: what prepareForDeletion and willSave delete goes in the same save")
    func deletionInsideHooks() throws {
        let department = try context.insert(into: "Department")
        try department.setValue("Sales", forKey: "title")
        let people = try (0..<2).map { _ in try context.insert(Hooked.self) }
        try department.setObjects(people, forKey: "employees")
        try context.save()
        for person in people {
            person.onPrepareForDeletion = { person in
                guard let department = try person.object(forKey: "department"),
                    try department.objects(forKey: "employees").filter({ !$0.isDeleted }).isEmpty
                else { return }
                try person.managedObjectContext?.delete(department)
            }
        }
        try context.delete(people[0])
        #expect(!department.isDeleted)
        // The second is deleted while the save runs.
        let third = try context.insert(Hooked.self)
        third.onWillSave = { try $0.managedObjectContext?.delete(people[1]) }
        try context.save()
        #expect(department.managedObjectContext == nil)
        let fresh = container.makeContext()
        #expect(try fresh.count("Department") == 0 && fresh.count("Person") == 1)
    }

    private static let moods: ManagedObjectModel = {
        var model = ManagedObjectModel(entities: [
            EntityDescription("Continent", [.toMany("countries", "Country", inverse: "continent")]),
            EntityDescription(
                "Country",
                [
                    .toOne("continent", "Continent", inverse: "countries"),
                    .toMany("moods", "Mood", inverse: "country"),
                ]),
            EntityDescription("Mood", [.toOne("country", "Country", inverse: "moods")]),
        ])
        for place in model.entities.indices { model.entities[place].managedObjectClassName = ".Hooked" }
        return model
    }()

    /// A new object that deletes its owner when it goes as the last of it, from one of its hooks.
    private func member(
        _ entity: String, of owner: ManagedObject, _ key: String, inverse: String, inWillSave: Bool,
        _ context: ManagedObjectContext
    ) throws -> Hooked {
        let member = try #require(try context.insert(into: entity) as? Hooked)
        try member.setObject(owner, forKey: key)
        let hook: (Hooked) throws -> Void = { member in
            guard member.isDeleted, let owner = try member.object(forKey: key),
                try owner.objects(forKey: inverse).filter({ !$0.isDeleted }).isEmpty
            else { return }
            try member.managedObjectContext?.delete(owner)
        }
        if inWillSave { member.onWillSave = hook } else { member.onPrepareForDeletion = hook }
        return member
    }

    @Test(
        "DEL-03: a country goes with its last mood, a continent with its last country",
        arguments: [1, 2], [false, true])
    func twoLevels(countryCount: Int, inWillSave: Bool) throws {
        let container = try PersistentContainer(
            model: Self.moods, store: .inMemory, classes: ["Hooked": Hooked.self])
        let context = container.makeContext()
        let continent = try context.insert(into: "Continent")
        let countries = try (0..<countryCount).map { _ in
            try member(
                "Country", of: continent, "continent", inverse: "countries", inWillSave: inWillSave, context)
        }
        let moods = try (0..<2).map { _ in
            try member("Mood", of: countries[0], "country", inverse: "moods", inWillSave: inWillSave, context)
        }
        try context.save()
        try context.delete(moods[0])
        try context.save()
        #expect(try container.makeContext().count("Country") == countryCount)
        try context.delete(moods[1])
        try context.save()
        #expect(!context.hasChanges && countries[0].managedObjectContext == nil)
        let fresh = container.makeContext()
        #expect(try fresh.count("Mood") == 0 && fresh.count("Country") == countryCount - 1)
        #expect(try fresh.count("Continent") == (countryCount == 1 ? 0 : 1))
    }

    @Test("A cascade over a long chain and over a cycle ends")
    func longCascade() throws { try checkCascade(objects: 500) }

    func checkCascade(objects: Int) throws {
        var previous: ManagedObject?
        var first: ManagedObject?
        for _ in 0..<objects {
            let person = try context.insert(into: "Person")
            if let previous { try person.setObject(previous, forKey: "boss") } else { first = person }
            previous = person
        }
        try first?.setObject(previous, forKey: "boss")
        try context.save()
        try context.delete(try #require(first))
        #expect(context.deletedObjects.count == objects)
        try context.save()
        #expect(try container.makeContext().count("Person") == 0)
    }

    @Test("Nullify takes the object out at the other end; read back from the store, too")
    func nullify() throws {
        let department = try context.insert(into: "Department")
        try department.setValue("Sales", forKey: "title")
        let person = try context.insert(into: "Person")
        try person.setObject(department, forKey: "department")
        try context.save()
        // In a context that has neither end in its hands yet.
        let other = container.makeContext()
        try other.delete(try #require(try other.lookUpObject(with: person.objectID)))
        let otherDepartment = try #require(try other.lookUpObject(with: department.objectID))
        #expect(try otherDepartment.objects(forKey: "employees") == [])
        #expect(otherDepartment.isUpdated)
        try other.save()
        let fresh = container.makeContext()
        #expect(try fresh.fetchAll("Department").first?.objects(forKey: "employees") == [])
    }

    @Test("No action leaves the reference; it leads nowhere")
    func noAction() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.toMany("bs", "B", inverse: "a", .deleteRule(.noAction))]),
            EntityDescription("B", [.attribute("x", .integer16), .toOne("a", "A", inverse: "bs")]),
        ])
        let container = try PersistentContainer(model: model, store: .inMemory)
        let context = container.makeContext()
        let (a, b) = (try context.insert(into: "A"), try context.insert(into: "B"))
        try b.setObject(a, forKey: "a")
        try context.save()
        try context.delete(a)
        #expect(!b.isUpdated)
        try context.save()
        #expect(try b.object(forKey: "a") == nil)
        let fresh = container.makeContext()
        let stored = try #require(try fresh.fetchAll("B").first)
        #expect(try stored.object(forKey: "a") == nil)
        try stored.setValue(1, forKey: "x")
        try fresh.save()
    }

    @Test("Rollback brings deleted objects and their relationships back")
    func rollback() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try person.add(pet, forKey: "pets")
        try context.save()
        try context.delete(person)
        context.rollback()
        #expect(!person.isDeleted && !pet.isDeleted && !context.hasChanges)
        #expect(try person.objects(forKey: "pets") == [pet])
        try context.delete(pet)
        #expect(try person.objects(forKey: "pets") == [])
        context.rollback()
        #expect(try pet.object(forKey: "owner") === person)
        #expect(try person.objects(forKey: "pets") == [pet])
    }

    @Test("A deleted object takes no new links")
    func deletedObjectsAreRefused() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try context.delete(pet)
        #expect(throws: GranaryError.self) { try person.add(pet, forKey: "pets") }
        #expect(throws: GranaryError.self) { try pet.setObject(person, forKey: "owner") }
        #expect(try person.objects(forKey: "pets") == [])
    }
}
