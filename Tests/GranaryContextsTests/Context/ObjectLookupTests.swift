import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Objects by their IDs") struct ObjectLookupTests {
    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test("An object whose ID another object takes has no context any more")
    func replacedObject() throws {
        let container = try Watched.container(.sqlitePublished)
        var context: ManagedObjectContext? = container.makeContext()
        let first = try #require(try context?.person("Ann"))
        try context?.save()
        let key = try #require(first.objectID.key)
        let next = ManagedObjectID(origin: first.objectID.origin, entity: first.objectID.entity, key: key + 1)
        let ghost = try #require(context?.object(with: next))
        let second = try #require(try context?.person("Bob"))
        try context?.save()
        #expect(second.objectID == next && context?.registeredObject(for: next) === second)
        #expect(ghost.managedObjectContext == nil)
        context = nil
        #expect(ghost.objectID == next)
    }

    @Test("existingObject gives an object with its values, or throws 133000", arguments: StoreFactory.kinds)
    func existing(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (ann, bob) = (try writer.person("Ann"), try writer.person("Bob"))
        let temporary = ann.objectID
        #expect(try writer.existingObject(with: temporary) === ann)
        try writer.save()
        let context = container.makeContext()
        let found = try context.existingObject(with: ann.objectID)
        #expect(!found.isFault && found["name"] == "Ann")
        // A fault that the context has already is read.
        let fault = context.object(with: bob.objectID)
        #expect(fault.isFault)
        #expect(try context.existingObject(with: bob.objectID) === fault && !fault.isFault)
        // The temporary ID is another context's, and the object has another by now.
        #expect(code { _ = try context.existingObject(with: temporary) } == 133_000)
        // One that is being deleted is still there; one that is gone is not.
        try context.delete(found)
        #expect(try context.existingObject(with: ann.objectID) === found)
        try container.delete(bob.objectID)
        try context.refresh(fault, mergeChanges: true)
        #expect(code { _ = try context.existingObject(with: bob.objectID) } == 133_000)
        #expect(code { _ = try container.makeContext().existingObject(with: bob.objectID) } == 133_000)
        // A child asks its parent.
        let child = container.makeContext().makeChild()
        #expect(try child.existingObject(with: ann.objectID)["name"] == "Ann")
        #expect(code { _ = try child.existingObject(with: bob.objectID) } == 133_000)
    }

    @Test("The fault of a foreign ID outlives its context")
    func foreignFault() throws {
        let foreign = try PeopleModel.container().makeContext()
        let ann = try foreign.person("Ann")
        try foreign.save()
        let model = ManagedObjectModel(entities: [EntityDescription("Other", [])])
        var context: ManagedObjectContext? = try PersistentContainer(model: model, store: .inMemory).makeContext()
        var fault = context?.object(with: ann.objectID)
        context = nil
        #expect(fault?.isFault == true && fault?["name"] == nil)
        #expect(throws: GranaryError.self) { try fault?.value(forKey: "name") }
        fault = nil
    }

    @Test("A fault for what is not there is no result of objects(with:)", arguments: StoreFactory.kinds)
    func unverified(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (ann, bob) = (try writer.person("Ann"), try writer.person("Bob"))
        try writer.save()
        try container.delete(bob.objectID)
        let context = container.makeContext()
        let faults = [context.object(with: ann.objectID), context.object(with: bob.objectID)]
        let found = try context.objects(with: faults.map(\.objectID))
        #expect(found.map(\.objectID) == [ann.objectID])
    }

    @Test("A to-one relationship to an object that is gone is nil, also where a fault was made for it")
    func danglingFault() throws {
        // The key stays when the owner is deleted.
        let model = ManagedObjectModel(entities: [
            EntityDescription("Owner", [.toMany("pets", "Pet", inverse: "owner", .deleteRule(.noAction))]),
            EntityDescription("Pet", [.toOne("owner", "Owner", inverse: "pets")]),
        ])
        let container = try PersistentContainer(model: model, store: .inMemory)
        let writer = container.makeContext()
        let (owner, pet) = (try writer.insert(into: "Owner"), try writer.insert(into: "Pet"))
        try pet.setObject(owner, forKey: "owner")
        try writer.save()
        let id = owner.objectID
        try container.delete(id)
        let context = container.makeContext()
        let fault = context.object(with: id)
        #expect(fault.isFault)
        #expect(try context.existingObject(with: pet.objectID).object(forKey: "owner") == nil)
    }

    @Test("object(with:) never throws: it gives a fault, also for what is not there", arguments: StoreFactory.kinds)
    func faults(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let ann = try writer.person("Ann")
        try writer.save()
        let context = container.makeContext()
        let fault = context.object(with: ann.objectID)
        #expect(fault.isFault && fault is Watched && context.object(with: ann.objectID) === fault)
        #expect(context.registeredObject(for: ann.objectID) === fault)
        #expect(try fault.value(forKey: "name") == "Ann")
        try container.delete(ann.objectID)
        let other = container.makeContext()
        other.shouldDeleteInaccessibleFaults = false
        let gone = other.object(with: ann.objectID)
        #expect(gone.isFault)
        #expect(code { _ = try gone.value(forKey: "name") } == 133_000)
        #expect(gone["name"] == nil)
        // An ID of another container, of the same and of another model.
        for model in [PeopleModel.model, ManagedObjectModel(entities: [EntityDescription("Other", [])])] {
            let foreign = try PersistentContainer(model: model, store: .inMemory).makeContext()
            let object = try foreign.insert(into: model.entities.count == 1 ? "Other" : "Pet")
            try foreign.save()
            let stranger = context.object(with: object.objectID)
            #expect(stranger.isFault && stranger.objectID == object.objectID)
            #expect(throws: GranaryError.self) { try stranger.committedValues() }
            #expect(throws: GranaryError.self) { try context.existingObject(with: object.objectID) }
        }
        try context.save()
    }
}
