import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Faults whose rows others have deleted. (`shouldDeleteInaccessibleFaults`)
@Suite("Faults whose rows are gone") struct InaccessibleFaultTests {
    /// An access to a stale object that only reads.
    enum Reading: CaseIterable {
        case value, subscripted, toOne, toMany, committed, typed, typedObject, typedList, fulfilling, predicate

        func run(_ object: ManagedObject) throws {
            switch self {
            case .value: #expect(try object.value(forKey: "name") == nil)
            case .subscripted: #expect(object["number"] == nil)
            case .toOne: #expect(try object.object(forKey: "boss") == nil)
            case .toMany: #expect(try object.objects(forKey: "pets") == [])
            case .committed: #expect(try object.committedValues()["name"] == .attribute(nil))
            case .typed: #expect(object.requiredValue(forKey: "name") == "")
            case .typedObject: #expect(object.typedObject(forKey: "boss") == nil)
            case .typedList: #expect(object.typedList(forKey: "pets").isEmpty)
            case .fulfilling: try object.managedObjectContext?.fulfill([object])
            case .predicate: #expect(try !ObjectPredicate("name == 'Ann'").evaluate(with: object))
            }
        }
    }

    private struct Scene {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let stale: ManagedObject
        let other: ManagedObject
    }

    /// A fault of Ann, whose row is gone, and Bob, whose boss she was.
    private func scene(_ factory: StoreFactory, isChild: Bool = false) throws -> Scene {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (ann, bob) = (try writer.person("Ann"), try writer.person("Bob"))
        try bob.setObject(ann, forKey: "boss")
        _ = try writer.pet("Rex", of: ann)
        try writer.save()
        let top = container.makeContext()
        let context = isChild ? top.makeChild() : top
        // Without an order, which a child would need values for.
        let people = try context.fetch("Person")
        let stale = try #require(people.first { $0.objectID == ann.objectID })
        let other = try #require(people.first { $0.objectID == bob.objectID })
        let deleter = container.makeContext()
        try deleter.existingObject(with: bob.objectID).setObject(nil, forKey: "boss")
        try deleter.delete(try deleter.existingObject(with: ann.objectID))
        try deleter.save()
        return Scene(container: container, context: context, stale: stale, other: other)
    }

    @Test("Reading gives nothing and deletes the object here", arguments: StoreFactory.kinds, Reading.allCases)
    func reading(_ factory: StoreFactory, _ reading: Reading) throws {
        let scene = try scene(factory)
        let context = scene.context
        try reading.run(scene.stale)
        #expect(scene.stale.isDeleted && context.deletedObjects == [scene.stale] && context.updatedObjects.isEmpty)
        #expect(context.accessError == nil && context.hasChanges)
        for again in Reading.allCases where again != .predicate { try again.run(scene.stale) }
        #expect(throws: GranaryError.self) { try context.existingObject(with: scene.stale.objectID) }
        try context.save()
        #expect(!context.hasChanges && scene.stale.managedObjectContext == nil)
        #expect(context.registeredObject(for: scene.stale.objectID) == nil)
        #expect(try scene.container.makeContext().fetch("Person").map { $0["name"] } == ["Bob"])
    }

    @Test("A child deletes it too, and its parent is not asked to", arguments: StoreFactory.kinds)
    func children(_ factory: StoreFactory) throws {
        let scene = try scene(factory, isChild: true)
        #expect(try scene.stale.value(forKey: "name") == nil)
        #expect(scene.stale.isDeleted)
        try scene.context.save()
        try scene.context.parent?.save()
        #expect(try scene.container.makeContext().count("Person") == 1)
    }

    @Test("A change of it is discarded by the save; a relationship with it is an error", arguments: StoreFactory.kinds)
    func changing(_ factory: StoreFactory) throws {
        let scene = try scene(factory)
        let errors = [
            #expect(throws: GranaryError.self) { try scene.stale.setObject(scene.other, forKey: "boss") },
            #expect(throws: GranaryError.self) { try scene.other.setObject(scene.stale, forKey: "boss") },
            #expect(throws: GranaryError.self) { try scene.other.add(scene.stale, forKey: "staff") },
        ]
        for error in errors { #expect(error?.code == .usage && error?.message.contains("is deleted") == true) }
        try scene.stale.setValue("Eve", forKey: "name")
        try scene.other.setValue("kept", forKey: "note")
        try scene.context.save()
        #expect(try scene.container.makeContext().fetch("Person").map { $0["note"] } == ["kept"])
    }

    @Test("After a rollback it is a fault again, and still gone", arguments: StoreFactory.kinds)
    func rollback(_ factory: StoreFactory) throws {
        let scene = try scene(factory)
        #expect(scene.stale["name"] == nil && scene.stale.isDeleted)
        scene.context.rollback()
        #expect(scene.stale.isFault && !scene.stale.isDeleted && !scene.context.hasChanges)
        #expect(scene.stale["name"] == nil && scene.stale.isDeleted)
    }

    @Test("Observers are told of the deletion")
    func observers() throws {
        let scene = try scene(.inMemory)
        var deleted: Set<ManagedObject> = []
        let observer = scene.context.addObserver { deleted.formUnion($0.deleted) }
        _ = scene.stale["name"]
        try scene.context.processPendingChanges()
        #expect(deleted == [scene.stale])
        withExtendedLifetime(observer) {}
    }
}
