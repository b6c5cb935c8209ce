import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// What contexts see of each other beyond one step.
@Suite("Chains of contexts") struct AncestryTests {
    @Test("A grandchild sees what the first context has changed and not saved", arguments: StoreFactory.kinds)
    func grandchild(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let root = container.makeContext()
        _ = try root.person("Ann")
        try root.save()
        let reader = container.makeContext()
        let child = reader.makeChild()
        let grandchild = child.makeChild()
        let person = try #require(try grandchild.fetchAll("Person").first)
        #expect(person.isFault)
        let original = try #require(try reader.fetchAll("Person").first)
        try original.setValue("changed", forKey: "name")
        #expect(person["name"] == "changed")
    }

    @Test("A child finds objects by the values that it shows, whatever the parent has")
    func shownValues() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let parent = container.makeContext()
        let (ann, bob) = (try parent.person("Ann"), try parent.person("Bob"))
        try parent.save()
        let child = parent.makeChild()
        let shown = try #require(try child.lookUpObject(with: ann.objectID))
        #expect(shown["name"] == "Ann")
        try ann.setValue("Bob", forKey: "name")
        var request = FetchRequest("Person", where: .compare(.keyPath("name"), .equal, .constant("Bob")))
        request.fetchLimit = 1
        #expect(try child.fetch(request).map(\.objectID) == [bob.objectID])
        request.predicate = .compare(.keyPath("name"), .equal, .constant("Ann"))
        #expect(try child.fetch(request) == [shown])
    }

    @Test("Deleting and changing objects of a store that was removed is refused")
    func removedStore() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let writer = container.makeContext()
        _ = try writer.person("Ann")
        try writer.save()
        let context = container.makeContext()
        let person = try #require(try context.fetchAll("Person").first)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        try container.persistentStoreCoordinator.remove(store)
        #expect(throws: GranaryError.self) { try context.delete(person) }
        #expect(!person.isDeleted && !context.hasChanges)
        #expect(throws: GranaryError.self) { try person.setValue("Bea", forKey: "name") }
    }

    @Test("What an enumeration's body deletes does not come later", arguments: [true, false])
    func deletedMeanwhile(_ isSorted: Bool) throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let context = container.makeContext()
        for name in ["a", "b", "c", "d"] { _ = try context.person(name) }
        try context.save()
        var request = FetchRequest("Person")
        if isSorted { request.sortDescriptors = [ObjectSortDescriptor("name")] }
        var seen: [AttributeValue?] = []
        try context.enumerate(request) { person in
            seen.append(person["name"])
            guard seen.count == 1 else { return }
            for other in try context.fetchAll("Person") where other["name"] == "c" { try context.delete(other) }
            try context.save()
        }
        #expect(seen == ["a", "b", "d"])
    }

    @Test("Undo after a refresh leaves both ends of a relationship in step")
    func undoAfterRefresh() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let writer = container.makeContext()
        let ann = try writer.person("Ann")
        let (first, second) = (try writer.department("first"), try writer.department("second"))
        try ann.setObject(first, forKey: "department")
        try writer.save()
        let context = container.makeContext()
        context.undoManager = ObjectUndoManager()
        let person = try #require(try context.lookUpObject(with: ann.objectID))
        let departments = try context.objects(with: [first.objectID, second.objectID])
        #expect(try departments.map { try $0.objects(forKey: "employees").count } == [1, 0])
        try person.setValue("here", forKey: "note")
        try ann.setObject(second, forKey: "department")
        try writer.save()
        try context.refresh(person, mergeChanges: true)
        #expect(try person.object(forKey: "department") === departments[1])
        #expect(try departments.map { try $0.objects(forKey: "employees").count } == [0, 1])
        #expect(context.updatedObjects == [person])
        try context.undoManager?.undo()
        #expect(person["note"] == nil)
        #expect(try person.object(forKey: "department") === departments[1])
        #expect(try departments.map { try $0.objects(forKey: "employees").count } == [0, 1])
    }

    @Test("Undo makes no link to an object that others have deleted since", arguments: StoreFactory.kinds)
    func undoneLinkToNothing(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        context.undoManager = ObjectUndoManager()
        let nodes = try (0..<3).map { _ in try context.insert(into: "Node") }
        for key in ["likes", "ranks"] { try nodes[0].setObjects([nodes[1], nodes[2]], forKey: key) }
        try context.save()
        for key in ["likes", "ranks"] { try nodes[0].remove(nodes[1], forKey: key) }
        try context.save()
        let id = nodes[1].objectID
        let other = container.makeContext()
        try other.delete(try #require(try other.lookUpObject(with: id)))
        try other.save()
        try context.mergeChanges(from: SaveChanges(deleted: [id]))
        try context.save()
        try context.undoManager?.undo()
        for key in ["likes", "ranks"] { #expect(try nodes[0].objects(forKey: key) == [nodes[2]], "\(key)") }
        try context.save()
        let fresh = container.makeContext()
        let again = try #require(try fresh.lookUpObject(with: nodes[0].objectID))
        for key in ["likes", "ranks"] {
            #expect(try again.objects(forKey: key).map(\.objectID) == [nodes[2].objectID], "\(key)")
        }
    }

    @Test("An undo that cannot read what it leads to changes nothing, and can be made later")
    func undoThatCannotRead() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Store.sqlite")
        let context = try PersistentContainer(model: ConformanceModel.model, store: .sqlite(url)).makeContext()
        let (first, gone, id) = try nodes(context)
        context.undoManager = ObjectUndoManager()
        try first.setObject(nil, forKey: "pointer")
        try context.delete(gone)
        try context.save()
        #expect(context.registeredObject(for: id) == nil)
        let (before, other) = (gone.objectID, try Connection(path: url.path, mode: .readWrite))
        try other.execute("UPDATE ZNODE SET ZNAME = x'ff' WHERE Z_PK = \(try #require(id.key))")
        #expect(throws: GranaryError.self) { try context.undoManager?.undo() }
        #expect(gone.objectID == before && gone.managedObjectContext == nil && !context.hasChanges)
        try other.execute("UPDATE ZNODE SET ZNAME = 'b' WHERE Z_PK = \(try #require(id.key))")
        try context.undoManager?.undo()
        #expect(gone.isInserted && gone.objectID.isTemporaryID)
        #expect(try first.object(forKey: "pointer")?.objectID == id)
    }

    /// Three saved nodes; the first points to the third, which nobody holds.
    private func nodes(
        _ context: ManagedObjectContext
    ) throws -> (ManagedObject, ManagedObject, ManagedObjectID) {
        let nodes = try (0..<3).map { _ in try context.insert(into: "Node") }
        try nodes[0].setObject(nodes[2], forKey: "pointer")
        try context.save()
        return (nodes[0], nodes[1], nodes[2].objectID)
    }
}
