import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Objects that are created without a context and inserted later.
@Suite("Objects without a context") struct DetachedObjectTests {
    private static func people(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
    }

    private static func make(_ entity: String, _ container: PersistentContainer) throws -> ManagedObject {
        ManagedObject(entity: try #require(container.schema.entity(named: entity)), insertInto: nil)
    }

    private static func person(_ container: PersistentContainer) throws -> Hooked {
        Hooked(entity: try #require(container.schema.entity(named: "Person")), insertInto: nil)
    }

    @Test("Default and set values are kept by the insertion, and saved", arguments: StoreFactory.kinds)
    func values(_ factory: StoreFactory) throws {
        let container = try Self.people(factory)
        let context = container.makeContext()
        let person = try Self.person(container)
        #expect(person.managedObjectContext == nil && person.objectID.isTemporaryID && !person.isInserted)
        #expect(person["name"] == "buddy" && person["number"] == 7)
        try person.setValue("Ann", forKey: "name")
        try person.setValue(3, forKey: "mood")
        #expect(person.calls.isEmpty && !person.hasChanges && !context.hasChanges)
        try person.validateForInsert()

        try context.insert(person)
        #expect(person.managedObjectContext === context && person.isInserted && context.insertedObjects == [person])
        #expect(person.calls == ["awakeFromInsert"] && person.nameAtInsert == "Ann")
        #expect(person["mood"] == 3 && person.changedValues()["name"] == .attribute("Ann"))
        // The same context once more changes nothing.
        try context.insert(person)
        #expect(person.count("awakeFromInsert") == 1)
        try context.save()
        #expect(!person.objectID.isTemporaryID)
        #expect(try container.stored(person.objectID, "name") == "Ann")
        #expect(try container.stored(person.objectID, "number") == 7)
        try context.refresh(person, mergeChanges: false)
        #expect(try person.value(forKey: "name") == "Ann")
    }

    @Test("With a context, the object is inserted at once", arguments: StoreFactory.kinds)
    func insertedAtOnce(_ factory: StoreFactory) throws {
        let container = try Self.people(factory)
        let context = container.makeContext()
        let entity = try #require(container.schema.entity(named: "Department"))
        let department = ManagedObject(entity: entity, insertInto: context)
        #expect(context.insertedObjects == [department])
        let error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.summary == ["Department.title 1570"])
        try department.setValue("Sales", forKey: "title")
        try context.save()
        // Not of the registered class: the next save tells.
        let person = ManagedObject(entity: try #require(container.schema.entity(named: "Person")), insertInto: context)
        #expect(person.managedObjectContext == nil && context.accessError != nil)
        let refusal = try #require(throws: GranaryError.self) { try context.save() }
        #expect(refusal.code == .usage && refusal.message.contains("Hooked(entity:insertInto:)"))
    }

    @Test(
        "Related objects without a context are inserted together, and their links are saved",
        arguments: StoreFactory.kinds)
    func related(_ factory: StoreFactory) throws {
        let container = try Self.people(factory)
        let context = container.makeContext()
        let department = try Self.make("Department", container)
        try department.setValue("Sales", forKey: "title")
        var names: Set<String> = []
        for number in 0..<3 {
            // Only the department retains them.
            let person = try Self.person(container)
            try person.setValue(.string("P\(number)"), forKey: "name")
            try department.add(person, forKey: "employees")
            names.insert("P\(number)")
            #expect(try person.object(forKey: "department") === department)
        }
        let stranger = try Self.person(container)
        try stranger.setObject(department, forKey: "department")
        try stranger.setObject(nil, forKey: "department")
        #expect(
            try department.objects(forKey: "employees").compactMap { try $0.string(forKey: "name") } == names.sorted())
        try context.insert(department)
        #expect(context.insertedObjects.count == 4 && stranger.managedObjectContext == nil)
        try context.save()
        let fresh = container.makeContext()
        let stored = try #require(try fresh.fetch("Department").first)
        #expect(Set(try stored.objects(forKey: "employees").compactMap { try $0.string(forKey: "name") }) == names)
    }

    private static let links = [
        "mate", "next", "previous", "parent", "children", "team", "members", "likes", "likedBy", "reviewers", "reviews",
        "ranks", "rankedBy", "friends", "pointer", "keeps",
    ]

    /// The names at the other end of each relationship of each node.
    private func picture(_ nodes: [ManagedObject]) throws -> [String] {
        var lines: [String] = []
        for node in nodes {
            for key in Self.links {
                let link = try #require(node.entity.relationship(named: key))
                var ends: [ManagedObject] = []
                if link.isToMany {
                    ends = try node.objects(forKey: key)
                } else if let end = try node.object(forKey: key) {
                    ends = [end]
                }
                var names = try ends.map { try $0.string(forKey: "name") ?? "-" }
                if !link.description.isOrdered { names.sort() }
                let name = try node.string(forKey: "name") ?? "-"
                lines.append("\(name).\(key): \(names)")
            }
        }
        return lines
    }

    /// Changes one relationship in a random way.
    private func step(_ nodes: [ManagedObject], _ random: inout SeededGenerator) throws {
        let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
        let other = nodes[Int.random(in: 0..<nodes.count, using: &random)]
        let key = Self.links[Int.random(in: 0..<Self.links.count, using: &random)]
        let way = Int.random(in: 0..<4, using: &random)
        guard node.entity.relationship(named: key)?.isToMany == true else {
            return try node.setObject(way == 0 ? nil : other, forKey: key)
        }
        switch way {
        case 0: try node.remove(other, forKey: key)
        case 1: try node.setObjects([other, nodes[0]], forKey: key)
        default: try node.add(other, forKey: key)
        }
    }

    @Test("Relationships are the same as those set in a context", arguments: StoreFactory.kinds, [1, 2, 3])
    func twin(_ factory: StoreFactory, _ seed: UInt64) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let twinContainer = try PersistentContainer(ConformanceModel.model, factory)
        let (context, twinContext) = (container.makeContext(), twinContainer.makeContext())
        let nodes = try (0..<6).map { _ in try Self.make("Node", container) }
        let twins = try nodes.map { _ in try twinContext.insert(into: "Node") }
        for (index, name) in "ABCDEF".enumerated() {
            try nodes[index].setValue(.string("\(name)"), forKey: "name")
            try twins[index].setValue(.string("\(name)"), forKey: "name")
        }
        var (random, twinRandom) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
        for number in 0..<60 {
            try step(nodes, &random)
            try step(twins, &twinRandom)
            if number == 40 {
                #expect(try picture(nodes) == picture(twins))
                for node in nodes { try context.insert(node) }
            }
        }
        #expect(try picture(nodes) == picture(twins))
        try context.save()
        try twinContext.save()
        func stored(_ container: PersistentContainer) throws -> [String] {
            let fresh = container.makeContext()
            return try withExtendedLifetime(fresh) { try picture(fresh.fetch("Node", sort: "name")) }
        }
        #expect(try stored(container) == stored(twinContainer))
    }

    @Test("Undo takes the insertion back, redo repeats it; an object that a rollback removed can be inserted again")
    func again() throws {
        let container = try Self.people(.inMemory)
        let context = container.makeContext()
        let boss = try context.person("Boss")
        try context.save()
        context.undoManager = ObjectUndoManager()
        let person = try Self.person(container)
        try person.setValue("Ann", forKey: "name")
        try context.insert(person)
        try context.processPendingChanges()
        try context.undo()
        #expect(context.insertedObjects.isEmpty)
        try context.redo()
        #expect(context.insertedObjects == [person] && person["name"] == "Ann")
        let pet = try context.pet("Rex", of: person)
        try person.setObject(boss, forKey: "boss")

        context.rollback()
        #expect(person.managedObjectContext == nil && person["name"] == "Ann")
        #expect(try boss.objects(forKey: "staff").isEmpty)
        try context.insert(person)
        // The context still has the boss; the pet was removed too.
        #expect(try boss.objects(forKey: "staff") == [person] && person.objects(forKey: "pets").isEmpty)
        try context.insert(pet)
        try context.save()
        #expect(try container.stored(person.objectID, "name") == "Ann")
        #expect(try container.makeContext().count("Pet") == 1)
    }

    @Test("A child context saves them into its parent", arguments: StoreFactory.kinds)
    func child(_ factory: StoreFactory) throws {
        let container = try Self.people(factory)
        let context = container.makeContext()
        let child = context.makeChild()
        let person = try Self.person(container)
        try person.setValue("Ann", forKey: "name")
        try child.insert(person)
        try child.save()
        #expect(context.insertedObjects.map { $0["name"] } == ["Ann"])
        try context.save()
        #expect(try container.makeContext().count("Person") == 1)
    }

    /// What is wrong, and a part of the message.
    private static let misuse: [(String, String)] = [
        ("another context", "belongs to another context"), ("deleted", "is deleted in this context"),
        ("stored", "was stored before"), ("other model", "belongs to another model"),
        ("class", "is of the class ManagedObject, but Hooked"), ("link to an inserted", "is not inserted yet"),
        ("link from an inserted", "is not inserted yet"), ("link to another model", "belongs to another model"),
        ("accessor", "Person.number"),
    ]

    @Test("Misuse is an error that says what is wrong, and inserts nothing", arguments: StoreFactory.kinds, misuse)
    func refused(_ factory: StoreFactory, _ misuse: (String, String)) throws {
        let container = try Self.people(factory)
        let context = container.makeContext()
        let inserted = try context.person("Boss")
        let person = try Self.person(container)
        let other = try PersistentContainer(ConformanceModel.model, factory)
        let foreign = try Self.make("Node", other)
        let error = try #require(throws: GranaryError.self) {
            switch misuse.0 {
            case "another context": try container.makeContext().insert(inserted)
            case "deleted":
                try context.delete(inserted)
                try context.insert(inserted)
            case "stored":
                try context.save()
                context.reset()
                try context.insert(inserted)
            case "other model": try context.insert(foreign)
            case "class": try context.insert(Self.make("Person", container))
            case "link to an inserted": try person.setObject(inserted, forKey: "boss")
            case "link from an inserted": try inserted.add(person, forKey: "staff")
            case "link to another model": try person.setObject(foreign, forKey: "boss")
            default:
                person.setTypedValue(Int64.max, forKey: "number")
                try context.insert(person)
            }
        }
        let text = ([error.message] + error.diagnostics.map(\.description)).joined(separator: " ")
        #expect(text.contains(misuse.1), "\(text)")
        #expect(person.managedObjectContext == nil && foreign.managedObjectContext == nil)
        #expect(context.insertedObjects.subtracting([inserted]).isEmpty)
        // The error of an accessor is thrown once.
        if misuse.0 == "accessor" {
            try context.insert(person)
            #expect(person.isInserted && person["number"] == 7)
        }
    }

    @Test("An abstract entity has no objects; one refused object keeps those related to it out")
    func abstractEntity() throws {
        var shape = EntityDescription("Shape", [.attribute("name", .string), .toOne("next", "Shape", inverse: nil)])
        shape.isAbstract = true
        let model = ManagedObjectModel(entities: [shape, EntityDescription("Circle", [], superentity: "Shape")])
        let container = try PersistentContainer(model: model, store: .inMemory)
        let context = container.makeContext()
        let (circle, abstract) = (try Self.make("Circle", container), try Self.make("Shape", container))
        try circle.setObject(abstract, forKey: "next")
        let error = try #require(throws: GranaryError.self) { try context.insert(circle) }
        #expect(error.diagnostics.map(\.code) == [.entityAbstract])
        #expect(circle.managedObjectContext == nil && !context.hasChanges)
    }

    @Test("Built-in transformers serve before the insertion; others need the context")
    func transformers() throws {
        var own = AttributeDescription(name: "own", type: .transformable)
        own.valueTransformerName = "OwnTransformer"
        let model = ManagedObjectModel(entities: [
            EntityDescription("Thing", [.attribute("list", .transformable), .attribute(own)])
        ])
        let transformer = AttributeTransformer(
            name: "OwnTransformer", encode: { (text: String) in Data(text.utf8) },
            decode: { String(decoding: $0, as: UTF8.self) })
        let container = try PersistentContainer(model: model, store: .inMemory, transformers: [transformer])
        let thing = try Self.make("Thing", container)
        try thing.setTransformedValue(["a", "b"], forKey: "list")
        #expect(try thing.transformedValue(forKey: "list", as: [String].self) == ["a", "b"])
        let error = try #require(throws: GranaryError.self) { try thing.setTransformedValue("x", forKey: "own") }
        #expect(error.message.contains("is not inserted yet"))
        let context = container.makeContext()
        try context.insert(thing)
        try thing.setTransformedValue("x", forKey: "own")
        try context.save()
        #expect(try thing.transformedValue(forKey: "own", as: String.self) == "x")
    }

    @Test("Objects that are dropped before the insertion are released, a long chain too")
    func released() throws {
        let container = try Self.people(.inMemory)
        weak var last: ManagedObject?
        do {
            let first = try Self.person(container)
            var previous = first
            for _ in 0..<2_000 {
                let next = try Self.person(container)
                try previous.add(next, forKey: "staff")
                previous = next
            }
            last = previous
            #expect(last != nil)
            withExtendedLifetime(first) {}
        }
        #expect(last == nil)
    }

    @Test("An entity whose model was released is refused")
    func releasedModel() throws {
        let context = try Self.people(.inMemory).makeContext()
        let entity = try #require(try PeopleModel.model.resolved().entity(named: "Department"))
        let department = ManagedObject(entity: entity, insertInto: nil)
        let error = try #require(throws: GranaryError.self) { try context.insert(department) }
        #expect(error.code == .usage && error.message.contains("another model"))
    }
}
