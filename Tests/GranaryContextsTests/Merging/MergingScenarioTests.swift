import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// The MRG scenarios of docs/core-data/behaviours.md#mrg-merging-conflicts-uniqueness, under their numbers, and what
/// else `mergeChanges` does. MRG-11 is in `UniquenessTests`.
@Suite("Merging") struct MergingScenarioTests {
    @Test("MRG-01: a new context refuses conflicts")
    func defaultPolicy() throws {
        let container = try PeopleModel.container()
        #expect(container.makeContext().mergePolicy == .error)
        #expect(container.makeContext().makeChild().mergePolicy == .error)
        #expect(try container.newBackgroundContext().performAndWait { $0.mergePolicy } == .error)
    }

    @Test("MRG-03: under store trump the store's values stay, the others are saved", arguments: Rivalry.all)
    func storeTrump(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        try parties.theirs.change(person.objectID, "name", to: "FromCtx1")
        try person.setValue("FromCtx2", forKey: "name")
        try person.setValue(99, forKey: "salary")
        context.mergePolicy = .mergeByPropertyStoreTrump
        try context.save()
        #expect(person["name"] == "FromCtx1" && person["salary"] == 99 && !context.hasChanges)
        #expect(try parties.theirs.stored(person.objectID, "name") == "FromCtx1")
        #expect(try parties.theirs.stored(person.objectID, "salary") == 99)
    }

    @Test("MRG-05: overwriting writes the whole object", arguments: Rivalry.all)
    func overwrite(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        try parties.theirs.change(person.objectID, "name", to: "FromCtx1")
        try parties.theirs.change(person.objectID, "salary", to: 77)
        try person.setValue("FromCtx2", forKey: "name")
        context.mergePolicy = .overwrite
        try context.save()
        #expect(person["name"] == "FromCtx2" && person["salary"] == 10)
        #expect(try parties.theirs.stored(person.objectID, "name") == "FromCtx2")
        #expect(try parties.theirs.stored(person.objectID, "salary") == 10)
    }

    @Test("MRG-07: different objects are no conflict", arguments: Rivalry.all)
    func differentObjects(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        let other = try context.person("Other")
        try context.save()
        try parties.theirs.change(person.objectID, "name", to: "theirs")
        try other.setValue("ours", forKey: "name")
        try context.save()
        #expect(try parties.theirs.stored(person.objectID, "name") == "theirs")
        #expect(try parties.theirs.stored(other.objectID, "name") == "ours")
    }

    @Test(
        "MRG-07, DIS-6: merging gives the new value, and knows the new object while somebody holds it",
        arguments: Rivalry.all)
    func mergedSave(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        let other = parties.theirs.makeContext()
        try #require(try other.lookUpObject(with: person.objectID)).setValue("merged", forKey: "name")
        let new = try other.person("new")
        try other.save()
        #expect(person["name"] == "orig")
        try context.mergeChanges(from: SaveChanges(inserted: [new.objectID], updated: [person.objectID]))
        #expect(person["name"] == "merged" && !context.hasChanges)
        #expect(context.registeredObject(for: new.objectID)?["name"] == "new")
        // Nobody holds the new object, so it goes after its announcement.
        try context.processPendingChanges()
        #expect(context.registeredObjects == [person])
        // The merged version is the stored one.
        try person.setValue("ours", forKey: "name")
        try context.save()
    }

    @Test("MRG-09: a save with an insertion, an update and a deletion is merged", arguments: Rivalry.all)
    func insertionUpdateDeletion(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let writer = parties.ours.makeContext()
        let ids = [try writer.person("updated"), try writer.person("deleted")]
        try writer.save()
        let context = parties.ours.makeContext()
        let (updated, deleted) = (
            try #require(try context.lookUpObject(with: ids[0].objectID)),
            try #require(try context.lookUpObject(with: ids[1].objectID))
        )
        #expect(updated["name"] == "updated" && deleted["name"] == "deleted")
        let other = parties.theirs.makeContext()
        try #require(try other.lookUpObject(with: updated.objectID)).setValue("changed", forKey: "name")
        try other.delete(try #require(try other.lookUpObject(with: deleted.objectID)))
        let new = try other.person("new")
        try other.save()
        let log = AnnouncementLog()
        log.observe(context)
        try context.mergeChanges(
            from: SaveChanges(inserted: [new.objectID], updated: [updated.objectID], deleted: [deleted.objectID]))
        #expect(context.insertedObjects.isEmpty && context.deletedObjects == [deleted])
        #expect(context.registeredObjects.isSuperset(of: [updated, deleted]))
        #expect(updated["name"] == "changed")
        try context.processPendingChanges()
        #expect(context.registeredObjects == [updated, deleted])
        #expect(log.takeAll() == [AnnouncementLog.Numbers(inserted: 1, deleted: 1, refreshed: 1)])
        try context.save()
        #expect(context.registeredObjects == [updated] && deleted.managedObjectContext == nil)
        #expect(try context.fetchAll("Person").map { $0["name"] } == ["changed", "new"])
    }

    @Test("Changes made here stay on top of what is merged", arguments: Rivalry.all)
    func changesOnTop(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        context.undoManager = ObjectUndoManager()
        try person.setValue(99, forKey: "salary")
        try person.setValue("ours", forKey: "note")
        try parties.theirs.change(person.objectID, "name", to: "theirs")
        try parties.theirs.change(person.objectID, "note", to: "theirs")
        try context.mergeChanges(from: SaveChanges(updated: [person.objectID]))
        #expect(person["name"] == "theirs" && person["salary"] == 99 && person["note"] == "ours")
        try context.save()
        #expect(try parties.theirs.stored(person.objectID, "salary") == 99)
        #expect(try parties.theirs.stored(person.objectID, "note") == "ours")
        #expect(try parties.theirs.stored(person.objectID, "name") == "theirs")
        // What others did is not undone.
        try context.undoManager?.undo()
        #expect(person["name"] == "theirs" && person["salary"] == 10 && person["note"] == nil)
    }

    @Test("Relationships that others have changed are merged at both ends", arguments: Rivalry.all)
    func links(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let writer = parties.ours.makeContext()
        let (a, b) = (try writer.person("a"), try writer.person("b"))
        let pet = try writer.pet("pet", of: a)
        try writer.save()
        let context = parties.ours.makeContext()
        let people = try context.fetchAll("Person")
        let pets = try context.fetchAll("Pet")
        #expect(try people[0].objects(forKey: "pets") == pets && people[1].objects(forKey: "pets") == [])
        #expect(try pets[0].object(forKey: "owner") === people[0])
        let other = parties.theirs.makeContext()
        let moved = try #require(try other.lookUpObject(with: pet.objectID))
        try moved.setObject(try other.lookUpObject(with: b.objectID), forKey: "owner")
        try other.save()
        try context.mergeChanges(from: SaveChanges(updated: [a.objectID, b.objectID, pet.objectID]))
        #expect(try people[0].objects(forKey: "pets") == [] && people[1].objects(forKey: "pets") == pets)
        #expect(try pets[0].object(forKey: "owner") === people[1])
        #expect(!context.hasChanges)
    }

    @Test("A merged deletion does not stop the next save, whatever the rules", arguments: Rivalry.kinds, [true, false])
    func mergedDeletion(_ rivalry: Rivalry, isFault: Bool) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let writer = parties.ours.makeContext()
        let sales = try writer.department("Sales")
        let ann = try writer.person("Ann")
        try ann.setObject(sales, forKey: "department")
        try writer.save()
        let context = parties.ours.makeContext()
        let department = try #require(try context.fetchAll("Department").first)
        let person = try #require(try context.fetchAll("Person").first)
        if !isFault { #expect(try department.objects(forKey: "employees") == [person]) }
        // Deny: the department goes without its employee.
        let other = parties.theirs.makeContext()
        try other.lookUpObject(with: ann.objectID)?.setObject(nil, forKey: "department")
        try other.delete(try #require(try other.lookUpObject(with: sales.objectID)))
        try other.save()
        try context.mergeChanges(from: SaveChanges(updated: [ann.objectID], deleted: [sales.objectID]))
        #expect(department.isDeleted)
        #expect(try person.object(forKey: "department") == nil)
        try person.setValue("Anna", forKey: "name")
        try context.save()
        #expect(department.managedObjectContext == nil)
        #expect(try parties.theirs.stored(ann.objectID, "name") == "Anna")
    }

    @Test("What the context does not know, or has deleted itself, is merged without ado", arguments: Rivalry.kinds)
    func littleToMerge(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        let id = person.objectID
        try parties.theirs.delete(id)
        try context.delete(person)
        try context.mergeChanges(from: SaveChanges(deleted: [id]))
        try context.mergeChanges(from: SaveChanges(updated: [id], deleted: [id]))
        #expect(context.deletedObjects == [person])
        // Somebody else was quicker with the same deletion: that is no conflict once it was merged.
        try context.save()
        #expect(!context.hasChanges)
        try context.mergeChanges(from: SaveChanges(inserted: [id], updated: [id], deleted: [id]))
        try context.mergeChanges(from: SaveChanges())
        #expect(SaveChanges().isEmpty && context.registeredObjects.isEmpty)
    }

    @Test("An object that is gone when its update is merged is deleted here", arguments: Rivalry.kinds)
    func goneMeanwhile(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(PeopleModel.model)
        let (context, person) = try reader(parties)
        try person.setValue("ours", forKey: "note")
        let id = person.objectID
        try parties.theirs.delete(id)
        try context.mergeChanges(from: SaveChanges(updated: [id]))
        #expect(person.isDeleted)
        try context.save()
        #expect(person.managedObjectContext == nil)
    }

    /// A context that has read a stored person: orig, 10.
    private func reader(_ parties: Rivalry.Parties) throws -> (ManagedObjectContext, ManagedObject) {
        let writer = parties.ours.makeContext()
        _ = try writer.person("orig", salary: 10)
        try writer.save()
        let context = parties.ours.makeContext()
        let person = try #require(try context.fetchAll("Person").first)
        _ = person["name"]
        return (context, person)
    }
}
