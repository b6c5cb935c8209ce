import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// Which objects a context knows, and what becomes of those that nobody holds: LIF-11 and LIF-15 of
/// docs/core-data/behaviours.md#lif-life-of-an-object.
@Suite("Registered objects") struct RegistrationScenarioTests {
    @Test("LIF-15: a background context keeps objects only as long as they are dirty", arguments: StoreFactory.all)
    func background(_ factory: StoreFactory) throws {
        let background = try Watched.container(factory).newBackgroundContext()
        try background.performAndWait { context in
            _ = try context.person("One")
            try context.save()
            _ = try context.person("Two")
        }
        #expect(try background.performAndWait { $0.registeredObjects.count } == 1)
        try background.performAndWait { try $0.save() }
        #expect(try background.performAndWait { $0.registeredObjects.isEmpty })
        #expect(try background.performAndWait { try $0.count("Person") } == 2)
    }

    @Test("LIF-15: an object goes when the last who held it lets go", arguments: StoreFactory.all)
    func held(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let one = try context.person("One")
        try context.save()
        #expect(context.registeredObjects == [one])
        #expect(try countsWhileMaking("Two", in: context) == [2, 2])
        #expect(context.registeredObjects == [one])
        #expect(try countWhileHoldingAll(in: context) == 2)
        #expect(context.registeredObjects == [one])
    }

    private func countsWhileMaking(_ name: String, in context: ManagedObjectContext) throws -> [Int] {
        let person = try context.person(name)
        let before = context.registeredObjects.count
        try context.save()
        let after = withExtendedLifetime(person) { context.registeredObjects.count }
        return [before, after]
    }

    private func countWhileHoldingAll(in context: ManagedObjectContext) throws -> Int {
        let all = try context.fetchAll("Person")
        return withExtendedLifetime(all) { context.registeredObjects.count }
    }

    @Test("A changed object stays though nobody holds it, until it is saved", arguments: StoreFactory.all)
    func changedObjects(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let id = try savedID(in: context)
        #expect(context.registeredObjects.isEmpty)
        try context.lookUpObject(with: id)?.setValue("changed", forKey: "name")
        #expect(context.registeredObjects.map { $0["name"] } == ["changed"])
        #expect(try context.fetchAll("Person").map { $0["name"] } == ["changed"])
        try context.save()
        #expect(context.registeredObjects.isEmpty && context.registeredObject(for: id) == nil)
        try deleteAll(in: context)
        #expect(context.registeredObjects.count == 1 && context.deletedObjects.count == 1)
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        #expect(try container.makeContext().count("Person") == 0)
    }

    private func savedID(in context: ManagedObjectContext) throws -> ManagedObjectID {
        let person = try context.person("Ann")
        try context.save()
        return person.objectID
    }

    private func deleteAll(in context: ManagedObjectContext) throws {
        for person in try context.fetchAll("Person") { try context.delete(person) }
    }

    @Test("retainsRegisteredObjects keeps all of them", arguments: StoreFactory.all)
    func retained(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let id = try savedID(in: context)
        #expect(!context.retainsRegisteredObjects)
        context.retainsRegisteredObjects = true
        #expect(try context.fetchAll("Person").count == 1)
        #expect(context.registeredObjects.count == 1)
        let kept = try #require(context.registeredObject(for: id)).objectID
        #expect(kept == id)
        _ = try savedID(in: context)
        #expect(context.registeredObjects.count == 2)
        try deleteAll(in: context)
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        _ = try savedID(in: context)
        #expect(context.registeredObjects.count == 1)
        context.retainsRegisteredObjects = false
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("LIF-11: a permanent ID got before the save stays through it", arguments: StoreFactory.all)
    func permanentIDs(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        let rex = try context.pet("Rex", of: ann)
        try ann.setObject(bob, forKey: "boss")
        let temporary = [ann.objectID, rex.objectID]
        try context.obtainPermanentIDs(for: [ann, rex])
        let permanent = [ann.objectID, rex.objectID]
        #expect(temporary.allSatisfy(\.isTemporaryID) && !permanent.contains(where: \.isTemporaryID))
        #expect(Set(temporary).isDisjoint(with: permanent) && bob.objectID.isTemporaryID)
        #expect(context.registeredObject(for: permanent[0]) === ann)
        #expect(context.registeredObject(for: temporary[0]) == nil)
        // Only the name is permanent: the objects are as new as they were, and linked as they were.
        #expect(ann.isInserted && context.insertedObjects == [ann, bob, rex])
        #expect(try rex.object(forKey: "owner") === ann && bob.objects(forKey: "staff") == [ann])
        #expect(try ann.objects(forKey: "pets") == [rex])
        #expect(try context.lookUpObject(with: permanent[0]) === ann)
        #expect(try container.makeContext().lookUpObject(with: permanent[0]) == nil)
        // Asked again, nothing changes.
        try context.obtainPermanentIDs(for: [ann, rex])
        #expect([ann.objectID, rex.objectID] == permanent)
        try context.save()
        #expect([ann.objectID, rex.objectID] == permanent && !bob.objectID.isTemporaryID)
        #expect(Set([ann, bob].map(\.objectID)).count == 2)
        let fresh = container.makeContext()
        let stored = try #require(try fresh.lookUpObject(with: permanent[1]))
        #expect(try stored.object(forKey: "owner")?.objectID == permanent[0])
        #expect(try fresh.count("Person") == 2 && fresh.count("Pet") == 1)
    }

    @Test("Keys that were given and not used are not given again", arguments: StoreFactory.all)
    func unusedKeys(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let ann = try context.person("Ann")
        try context.obtainPermanentIDs(for: [ann])
        let unused = ann.objectID
        context.rollback()
        #expect(context.registeredObject(for: unused) == nil && !context.hasChanges)
        let bob = try context.person("Bob")
        try context.save()
        #expect(bob.objectID != unused)
        #expect(try context.lookUpObject(with: unused) == nil)
    }
}
