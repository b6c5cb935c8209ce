import Foundation
import Granary
import Testing

/// Contexts: which objects they hold, what changed, and how changes are discarded.
@Suite("Contexts") struct ContextTests {
    private let container: PersistentContainer

    init() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Cup", [.attribute("name", .string), .attribute("size", .integer16, .defaultValue(1))])
        ])
        container = try PersistentContainer(model: model, store: .inMemory)
    }

    private func insert(_ names: String...) async throws -> [ManagedObjectID] {
        try await container.perform { context in
            let cups = try names.map { name in
                let cup = try context.insert(into: "Cup")
                try cup.setValue(.string(name), forKey: "name")
                return cup
            }
            try context.save()
            return cups.map(\.objectID)
        }
    }

    @Test("A context knows its inserted, updated, deleted and registered objects")
    func objectsOfAContext() async throws {
        let ids = try await insert("A", "B")
        try await container.perform { context in
            let a = try context.existingObject(with: ids[0])
            let b = try context.existingObject(with: ids[1])
            let c = try context.insert(into: "Cup")
            try a.setValue(2, forKey: "size")
            try context.delete(b)
            #expect(context.insertedObjects == [c] && c.isInserted && c.objectID.isTemporaryID)
            #expect(context.updatedObjects == [a] && a.isUpdated && !a.objectID.isTemporaryID)
            #expect(context.deletedObjects == [b] && b.isDeleted)
            #expect(context.registeredObjects == [a, b, c])
            #expect(context.registeredObject(for: ids[0]) === a && a.managedObjectContext === context)
            try context.obtainPermanentIDs(for: [c])
            #expect(!c.objectID.isTemporaryID && c.isInserted)
            context.rollback()
            #expect(!context.hasChanges && a["size"] == 1 && !b.isDeleted && c.managedObjectContext == nil)
            context.reset()
            #expect(context.registeredObject(for: ids[0]) == nil && a.managedObjectContext == nil)
        }
    }

    @Test("Observers receive the changes of each announcement")
    func observers() async throws {
        let ids = try await insert("A")
        try await container.perform { context in
            var seen: [ObjectChanges] = []
            let observation: ContextObservation = context.addObserver { seen.append($0) }
            let a = try context.existingObject(with: ids[0])
            let b = try context.insert(into: "Cup")
            try a.setValue("C", forKey: "name")
            try context.processPendingChanges()
            #expect(seen.count == 1 && seen[0].inserted == [b] && seen[0].updated == [a])
            try context.refresh(a, mergeChanges: false)
            try context.delete(a)
            try context.processPendingChanges()
            #expect(seen.count == 2 && seen[1].deleted == [a])
            context.rollback()
            try context.processPendingChanges()
            #expect(seen.last?.refreshed.contains(a) == true)
            context.reset()
            #expect(seen.last?.invalidated.contains(a) == true)
            context.removeObserver(observation)
            let count = seen.count
            try context.insert(into: "Cup")
            try context.processPendingChanges()
            #expect(seen.count == count)
        }
    }

    @Test("A child context saves into its parent")
    func childContexts() async throws {
        let ids = try await insert("A")
        try await container.perform { context in
            let child = context.makeChild()
            #expect(child.parent === context)
            let cup = try child.existingObject(with: ids[0])
            try cup.setValue("child", forKey: "name")
            #expect(try context.existingObject(with: ids[0])["name"] == "A")
            try child.save()
            #expect(try context.existingObject(with: ids[0])["name"] == "child")
            #expect(context.hasChanges && !child.hasChanges)
            context.rollback()
        }
    }
}
