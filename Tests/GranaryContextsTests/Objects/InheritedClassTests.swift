import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import Testing

private final class Group: ManagedObject {
    var people: Set<Person> {
        get { typedSet(forKey: "people") }
        set { setTypedSet(newValue, forKey: "people") }
    }
}

private class Person: ManagedObject {
    var group: Group? {
        get { typedObject(forKey: "group") }
        set { setTypedObject(newValue, forKey: "group") }
    }
}

private final class Chief: Person {}

/// The classes of subentities for which the model names none.
@Suite("Classes of subentities") struct InheritedClassTests {
    private static func entity(
        _ name: String, _ properties: [PropertyDescription] = [], class className: String?,
        superentity: String? = nil
    ) -> EntityDescription {
        var entity = EntityDescription(name, properties, superentity: superentity)
        entity.managedObjectClassName = className
        return entity
    }

    private static let model = ManagedObjectModel(entities: [
        entity("Group", [.toMany("people", "Person", inverse: "group")], class: "Group"),
        entity("Person", [.toOne("group", "Group", inverse: "people")], class: "App.Person"),
        entity("Employee", class: nil, superentity: "Person"),
        entity("Clerk", class: "NSManagedObject", superentity: "Employee"),
        entity("Chief", class: "Chief", superentity: "Employee"),
        entity("Guest", class: "Guest", superentity: "Person"),
        entity("Thing", class: nil),
    ])

    private let container: PersistentContainer
    private let context: ManagedObjectContext

    init() throws {
        container = try PersistentContainer(
            model: Self.model, store: .inMemory,
            classes: ["Group": Group.self, "Person": Person.self, "Chief": Chief.self])
        context = container.makeContext()
    }

    @Test(
        "An entity without a class name has the class of its superentity",
        arguments: [
            ("Group", "Group"), ("Person", "Person"), ("Employee", "Person"), ("Clerk", "Person"), ("Chief", "Chief"),
            // A class that is named, but not registered, is not replaced.
            ("Guest", "ManagedObject"), ("Thing", "ManagedObject"),
        ])
    func classes(_ entity: String, _ expected: String) throws {
        let object = try context.insert(into: entity)
        #expect("\(type(of: object))" == expected)
    }

    @Test("Objects of such an entity are in the typed relationships of the superentity")
    func relationships() throws {
        let group = Group(context: context)
        let employee = try #require(try context.insert(into: "Employee") as? Person)
        employee.group = group
        let clerk = try #require(try context.insert(into: "Clerk") as? Person)
        group.people.insert(clerk)
        #expect(group.people == [employee, clerk] && context.accessError == nil)
        try context.save()
        let other = container.makeContext()
        let fetched = try other.fetch(Group.fetchRequest())
        #expect(fetched.first?.people.count == 2)
    }

    @Test("The class makes and fetches objects of the entity that names it")
    func registration() throws {
        let person = Person(context: context)
        #expect(person.entity.name == "Person" && context.accessError == nil)
        let other = try context.insert(Person.self)
        #expect(other.entity.name == "Person")
        _ = try context.insert(into: "Clerk")
        try context.save()
        // A request for an entity has the objects of its subentities, too.
        let request = Person.fetchRequest()
        #expect(try context.count(for: request) == 3)
        #expect(try context.fetch(request).count == 3)
    }
}
