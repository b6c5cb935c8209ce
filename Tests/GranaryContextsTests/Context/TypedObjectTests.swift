import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import StoreTestSupport
import Testing

/// Lookups and insertions of objects of a class.
@Suite("Typed objects") struct TypedObjectTests {
    private final class Person: ManagedObject {}
    private final class Dog: ManagedObject {}

    private struct Failure: Error {}

    private static let model: ManagedObjectModel = {
        var entities = [
            EntityDescription("Person", [.attribute("name", .string, .required)]),
            EntityDescription("Dog", [.attribute("name", .string)]),
        ]
        for index in entities.indices { entities[index].managedObjectClassName = entities[index].name }
        return ManagedObjectModel(entities: entities)
    }()

    private let container: PersistentContainer

    init() throws {
        container = try PersistentContainer(
            model: Self.model, store: .inMemory, classes: ["Person": Person.self, "Dog": Dog.self])
    }

    @Test("An object by its ID and class; another class is an error that names both")
    func lookup() throws {
        let context = container.makeContext()
        let person = try context.insert(Person.self) { try $0.setValue("Ann", forKey: "name") }
        try context.save()
        let other = container.makeContext()
        #expect(try other.existingObject(Person.self, with: person.objectID).string(forKey: "name") == "Ann")
        #expect(try other.object(Person.self, with: person.objectID).objectID == person.objectID)
        let error = #expect(throws: GranaryError.self) { try other.existingObject(Dog.self, with: person.objectID) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("is an object of the class Person, not Dog") == true)
        #expect(throws: GranaryError.self) { try other.object(Dog.self, with: person.objectID) }
        try container.delete(person.objectID)
        let gone = #expect(throws: GranaryError.self) {
            try container.makeContext().existingObject(Person.self, with: person.objectID)
        }
        #expect(gone?.diagnostics.first?.code == .objectGone)
    }

    @Test("A class that is not registered is an error with a hint")
    func unregistered() throws {
        let plain = try PersistentContainer(model: Self.model, store: .inMemory)
        let context = plain.makeContext()
        let object = try context.insert(into: "Person")
        let error = #expect(throws: GranaryError.self) { try context.object(Person.self, with: object.objectID) }
        #expect(error?.message.contains("is the class registered") == true)
    }

    @Test("A closure that throws leaves no object")
    func insertion() throws {
        let context = container.makeContext()
        #expect(throws: Failure.self) { try context.insert(Person.self) { _ in throw Failure() } }
        #expect(!context.hasChanges)
        try context.save()
        #expect(try context.count("Person") == 0)
    }
}
