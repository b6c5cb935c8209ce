import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// The LIF scenarios of docs/core-data/behaviours.md#lif-life-of-an-object, under their numbers.
@Suite("Life of an object") struct LifecycleScenarioTests {
    let context: ManagedObjectContext
    let container: PersistentContainer

    init() throws {
        container = try PeopleModel.container()
        context = container.makeContext()
    }

    @Test("LIF-01: a new object has its defaults, and woke up once")
    func insertion() throws {
        let person = try context.insert(Hooked.self)
        #expect(person.calls == ["awakeFromInsert"])
        #expect(person.nameAtInsert == "buddy")
        #expect(person["name"] == "buddy")
        #expect(try person.integer(forKey: "number") == 7)
        #expect(person.isInserted && !person.isUpdated && !person.isDeleted && !person.isFault)
        #expect(person.objectID.isTemporaryID)
        #expect(context.insertedObjects == [person])
    }

    @Test("LIF-03: changed and committed values")
    func changedValues() throws {
        let person = try context.insert(into: "Person")
        try person.setValue("Ann", forKey: "name")
        #expect(person.changedValues() == ["name": .attribute("Ann")])
        #expect(try person.committedValues(forKeys: ["name"]) == ["name": .attribute(nil)])
        try context.save()
        #expect(person.changedValues() == [:])
        try person.setValue("Bea", forKey: "name")
        #expect(person.isUpdated && person.hasChanges)
        #expect(person.changedValues() == ["name": .attribute("Bea")])
        #expect(
            try person.committedValues(forKeys: ["name", "staff"]) == [
                "name": .attribute("Ann"), "staff": .objects([]),
            ])
        try context.save()
        #expect(!person.isUpdated && person.changedValues() == [:])
        #expect(throws: GranaryError.self) { try person.committedValues(forKeys: ["nome"]) }
    }

    @Test("LIF-03: the objects of relationships are changed values, too")
    func changedLinks() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try context.save()
        try person.add(pet, forKey: "pets")
        #expect(person.changedValues() == ["pets": .objects([pet.objectID])])
        #expect(pet.changedValues() == ["owner": .object(person.objectID)])
        #expect(try person.committedValues()["pets"] == .objects([]))
        #expect(context.updatedObjects == [person, pet])
    }

    @Test("Links that are read after a change are no change")
    func linksReadLate() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try person.add(pet, forKey: "pets")
        try context.save()
        let fresh = container.makeContext()
        let stored = try #require(try fresh.lookUpObject(with: person.objectID))
        try stored.setValue("Ann", forKey: "name")
        #expect(try stored.objects(forKey: "pets").count == 1)
        #expect(stored.changedValues() == ["name": .attribute("Ann")])
        #expect(try stored.committedValues(forKeys: ["pets"]) == ["pets": .objects([pet.objectID])])
        fresh.rollback()
        #expect(try stored.objects(forKey: "pets").map(\.objectID) == [pet.objectID])
    }

    @Test("LIF-05: willSave and didSave run once; what willSave writes is stored")
    func saveHooks() throws {
        let person = try context.insert(Hooked.self)
        try context.save()
        #expect(person.count("willSave") == 1 && person.count("didSave") == 1)
        person.onWillSave = { try $0.setValue("stamped", forKey: "note") }
        try person.setValue("Ann", forKey: "name")
        try context.save()
        #expect(person.count("didSave") == 2)
        let stored = try #require(try container.makeContext().lookUpObject(with: person.objectID) as? Hooked)
        #expect(stored["note"] == "stamped")
        #expect(stored.calls == ["awakeFromFetch"])
    }

    @Test(
        "LIF-05: a new object that writes in willSave is asked once more, and stored with it",
        arguments: StoreFactory.all)
    func writingInWillSave(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
        let context = container.makeContext()
        let person = try context.insert(Hooked.self)
        person.onWillSave = { try $0.setValue("stamped", forKey: "note") }
        try context.save()
        // The second call finds nothing to change.
        #expect(person.count("willSave") == 2 && person.count("didSave") == 1)
        #expect(person["note"] == "stamped" && !context.hasChanges)
        #expect(try container.stored(person.objectID, "note") == "stamped")
    }

    @Test("An object changed by another's willSave takes part in the save; one that changes in every round stops it")
    func willSaveLoop() throws {
        let (first, second) = (try context.insert(Hooked.self), try context.insert(Hooked.self))
        try context.save()
        first.onWillSave = { _ in try second.setValue("from first", forKey: "note") }
        try first.setValue("Ann", forKey: "name")
        try context.save()
        #expect(second.count("willSave") == 2 && second.count("didSave") == 2)
        #expect(try container.makeContext().lookUpObject(with: second.objectID)?["note"] == "from first")
        var count: Int64 = 0
        first.onWillSave = { person in
            count += 1
            try person.setValue(.integer(count), forKey: "salary")
        }
        try first.setValue("Bea", forKey: "name")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.message.contains("1000 rounds") == true)
        #expect(context.hasChanges)
    }

    @Test("LIF-07: an object deleted twice was prepared twice")
    func deletedTwice() throws {
        let person = try context.insert(Hooked.self)
        try context.save()
        try context.delete(person)
        #expect(person.isDeleted)
        try context.delete(person)
        #expect(person.count("prepareForDeletion") == 2)
        #expect(context.deletedObjects == [person])
        try context.save()
        #expect(person.managedObjectContext == nil && !person.isDeleted)
        #expect(try container.makeContext().count("Person") == 0)
    }

    @Test("LIF-09: an object inserted and deleted is deleted at once, and in none of the sets")
    func insertedAndDeleted() throws {
        let person = try context.insert(into: "Person")
        try context.delete(person)
        #expect(person.isDeleted)
        #expect(!context.hasChanges)
        #expect(try context.fetchAll("Person").isEmpty)
        try context.save()
        #expect(person.managedObjectContext == nil)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("LIF-11: the save makes IDs permanent")
    func permanentIDs() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try pet.setObject(person, forKey: "owner")
        let temporary = person.objectID
        try context.save()
        #expect(!person.objectID.isTemporaryID && person.objectID != temporary)
        #expect(context.registeredObject(for: person.objectID) === person)
        #expect(context.registeredObject(for: temporary) == nil)
        #expect(try pet.object(forKey: "owner") === person)
        #expect(try person.objects(forKey: "pets") == [pet])
        let id = person.objectID
        try person.setValue("Ann", forKey: "name")
        try context.save()
        #expect(person.objectID == id)
    }

    /// With a derived attribute the store changes what it has just been given.
    private static func cars(isDerived: Bool) -> ManagedObjectModel {
        var properties: [PropertyDescription] = [
            .attribute("maker", .string), .attribute("mood", .integer16, .transient, .defaultValue(0)),
        ]
        if isDerived { properties.append(.attribute("canonical", .string, .derived("canonical:(maker)"))) }
        return ManagedObjectModel(entities: [EntityDescription("Car", properties)])
    }

    @Test(
        "LIF-13: a transient value survives a save, neither a refresh nor a reset",
        arguments: StoreFactory.kinds, [false, true])
    func transientScenario(_ factory: StoreFactory, isDerived: Bool) throws {
        let context = try PersistentContainer(Self.cars(isDerived: isDerived), factory).makeContext()
        let car = try context.insert(into: "Car")
        try car.setValue("FIAT", forKey: "maker")
        try car.setValue(50, forKey: "mood")
        try context.save()
        #expect(car["mood"] == 50)
        try context.refreshAllObjects()
        #expect(car["mood"] == 0)
        try car.setValue(100, forKey: "mood")
        #expect(car["mood"] == 100)
        // A save of a stored object is no other.
        try car.setValue("FCA", forKey: "maker")
        try context.save()
        #expect(car["mood"] == 100 && car["maker"] == "FCA")
        if isDerived, factory.name == StoreFactory.sqlitePublished.name { #expect(car["canonical"] == "fca") }
        context.reset()
        #expect(car["mood"] == 0)
    }

    @Test("LIF-13: a transient value lives with its object only")
    func transientValues() throws {
        let person = try context.insert(into: "Person")
        try person.setValue(50, forKey: "mood")
        try context.save()
        #expect(person["mood"] == 50)
        try person.setValue(100, forKey: "mood")
        #expect(context.hasChanges && person.changedValues() == [:])
        context.reset()
        let again = try #require(try context.lookUpObject(with: person.objectID))
        #expect(again["mood"] == 0)
        #expect(again !== person && person.managedObjectContext == nil)
    }

    @Test("LIF-17: the to-one follows the to-many")
    func inverses() throws {
        let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
        try person.add(pet, forKey: "pets")
        #expect(try pet.object(forKey: "owner") === person)
        try person.remove(pet, forKey: "pets")
        #expect(try pet.object(forKey: "owner") == nil)
    }
}
