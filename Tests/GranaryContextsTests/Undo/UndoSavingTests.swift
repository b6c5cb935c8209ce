import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Undo that reaches back over saves, with every kind of store.
@Suite("Undo over saves") struct UndoSavingTests {
    /// Six objects with links of every kind, saved.
    struct Bench {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let manager = ObjectUndoManager()
        let objects: [ManagedObject]
        let start: UndoSnapshot

        init(_ factory: StoreFactory) throws {
            container = try UndoModel.container(factory)
            let context = container.makeContext()
            let objects = try (0..<6).map { try UndoModel.insert($0, into: context) }
            for (place, object) in objects.enumerated() {
                try object.setValue(.string("name \(place)"), forKey: "name")
                try object.setObject(objects[(place + 1) % 6], forKey: "next")
            }
            try objects[0].setObject(objects[1], forKey: "mate")
            try objects[0].setObjects([objects[3], objects[2]], forKey: "members")
            try objects[0].setObjects([objects[5], objects[0], objects[4]], forKey: "friends")
            for owner in [1, 2] {
                try objects[owner].setObjects([5, 2, 0, 3].map { objects[$0] }, forKey: "ranks")
                try objects[owner].setObjects([4, 0, 1].map { objects[$0] }, forKey: "reviewers")
                try objects[owner].setObjects([2, 0].map { objects[$0] }, forKey: "likes")
            }
            try objects[4].setObjects([objects[0], objects[1]], forKey: "keeps")
            try objects[5].setObjects([objects[4], objects[3]], forKey: "parts")
            try context.save()
            context.undoManager = manager
            self.context = context
            self.objects = objects
            start = try UndoSnapshot(of: context, UndoModel.stableEnds)
        }

        /// What differs from the start, if anything.
        var difference: String? {
            get throws {
                let found = try UndoSnapshot(of: context, UndoModel.stableEnds)
                return found.disagreement ?? found.difference(from: start)
            }
        }

        /// Saves; what then differs from the start in the store, if anything.
        func storedDifference() throws -> String? {
            try context.save()
            let found = try UndoSnapshot(of: container.makeContext(), UndoModel.stableEnds)
            return found.disagreement ?? found.stored.difference(from: start.stored)
        }
    }

    @Test("A saved insertion is deleted again; redone it is new again", arguments: StoreFactory.all)
    func insertion(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        let (context, manager) = (bench.context, bench.manager)
        let new = try UndoModel.insert(6, into: context)
        try new.setObjects(bench.objects, forKey: "likes")
        try new.setObject(bench.objects[0], forKey: "team")
        try new.add(bench.objects[0], forKey: "keeps")
        try context.save()
        let id = new.objectID
        let after = try UndoSnapshot(of: context, UndoModel.stableEnds)
        try manager.undo()
        #expect(new.isDeleted && context.deletedObjects == [new])
        #expect(try bench.difference == nil)
        #expect(try bench.storedDifference() == nil)
        #expect(new.managedObjectContext == nil)
        try manager.redo()
        #expect(new.isInserted && !new.isDeleted && new.objectID.isTemporaryID && context.insertedObjects == [new])
        #expect(try UndoSnapshot(of: context, UndoModel.stableEnds).difference(from: after) == nil)
        try context.save()
        #expect(!new.objectID.isTemporaryID && new.objectID != id)
        let fresh = try UndoSnapshot(of: bench.container.makeContext(), UndoModel.stableEnds)
        #expect(fresh.stored.difference(from: after.stored) == nil)
        try manager.undo()
        #expect(try bench.storedDifference() == nil)
    }

    @Test("A saved insertion that is undone and redone at once was never gone", arguments: StoreFactory.all)
    func insertionThereAndBack(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        let new = try UndoModel.insert(6, into: bench.context)
        try new.setObjects(bench.objects, forKey: "likes")
        try bench.context.save()
        let id = new.objectID
        try bench.manager.undo()
        try bench.manager.redo()
        #expect(!bench.context.hasChanges && new.objectID == id && !new.isDeleted)
        try bench.context.save()
        let fresh = bench.container.makeContext()
        #expect(try fresh.lookUpObject(with: id)?.objects(forKey: "likes").count == 6)
    }

    @Test(
        "A saved deletion is a new object with the old values and links, in their old places",
        arguments: StoreFactory.all, [0, 4, 5])
    func deletion(_ factory: StoreFactory, _ place: Int) throws {
        let bench = try Bench(factory)
        let (context, manager, object) = (bench.context, bench.manager, bench.objects[place])
        let id = object.objectID
        try context.delete(object)
        try context.save()
        #expect(object.managedObjectContext == nil)
        let after = try UndoSnapshot(of: context, UndoModel.stableEnds)
        try manager.undo()
        #expect(object.managedObjectContext === context && object.isInserted && !object.isDeleted)
        #expect(object.objectID.isTemporaryID && context.registeredObject(for: object.objectID) === object)
        #expect(try bench.difference == nil)
        #expect(try bench.storedDifference() == nil)
        #expect(!object.objectID.isTemporaryID && object.objectID != id)
        try manager.redo()
        #expect(object.isDeleted && context.deletedObjects.contains(object))
        #expect(try UndoSnapshot(of: context, UndoModel.stableEnds).difference(from: after) == nil)
        try context.save()
        let fresh = try UndoSnapshot(of: bench.container.makeContext(), UndoModel.stableEnds)
        #expect(fresh.stored.difference(from: after.stored) == nil)
        try manager.undo()
        #expect(try bench.storedDifference() == nil)
    }

    @Test("Of several saved deletions each finds the others under their new IDs", arguments: StoreFactory.all)
    func severalDeletions(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        for place in [2, 0, 5] {
            try bench.context.delete(bench.objects[place])
            try bench.context.save()
        }
        #expect(try bench.context.count("Item") == 1)
        for _ in 0..<3 { try bench.manager.undo() }
        #expect(!bench.manager.canUndo)
        #expect(try bench.difference == nil)
        #expect(try bench.storedDifference() == nil)
        for _ in 0..<3 {
            try bench.manager.redo()
            try bench.context.save()
        }
        #expect(try bench.container.makeContext().count("Item") == 1)
        for _ in 0..<3 {
            try bench.manager.undo()
            try bench.context.save()
        }
        #expect(try bench.difference == nil)
    }

    @Test("Who comes back still owns its members, itself too, and still belongs to its owner", arguments: [0, 4])
    func exclusiveOwners(_ place: Int) throws {
        let bench = try Bench(.inMemory)
        let (owner, member, object) = (bench.objects[4], bench.objects[0], bench.objects[place])
        try owner.add(owner, forKey: "keeps")
        try bench.context.save()
        try bench.context.delete(object)
        try bench.context.save()
        try bench.manager.undo()
        #expect(Set(try owner.objects(forKey: "keeps")) == [member, bench.objects[1], owner])
        try bench.objects[2].setObjects([member, owner], forKey: "keeps")
        #expect(try owner.objects(forKey: "keeps") == [bench.objects[1]])
    }

    @Test("A saved change of a value: the next save writes the old one", arguments: StoreFactory.all)
    func attribute(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        let (context, object) = (bench.context, bench.objects[1])
        try object.setValue("new", forKey: "name")
        try object.setValue(3, forKey: "mood")
        try context.save()
        try bench.manager.undo()
        #expect(context.updatedObjects == [object] && object.changedValues() == ["name": .attribute("name 1")])
        #expect(object["mood"] == 0)
        #expect(try bench.storedDifference() == nil)
        try bench.manager.redo()
        #expect(object["mood"] == 3)
        try context.save()
        #expect(try bench.container.makeContext().lookUpObject(with: object.objectID)?["name"] == "new")
    }

    @Test("A group may reach over saves", arguments: StoreFactory.all)
    func groupOverSaves(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        bench.manager.beginUndoGrouping()
        let new = try UndoModel.insert(6, into: bench.context)
        try bench.context.save()
        try new.setObject(bench.objects[0], forKey: "team")
        try bench.context.delete(bench.objects[5])
        try bench.context.save()
        // It came and went inside the group.
        try bench.context.delete(new)
        try bench.context.save()
        try bench.manager.endUndoGrouping()
        try bench.manager.undo()
        #expect(try bench.difference == nil)
        #expect(try bench.storedDifference() == nil)
        #expect(!bench.manager.canUndo)
        try bench.manager.redo()
        try bench.context.save()
        #expect(try bench.container.makeContext().count("Item") == 3)
    }

    @Test("IDs that became permanent before the save", arguments: StoreFactory.all)
    func permanentIDs(_ factory: StoreFactory) throws {
        let bench = try Bench(factory)
        let new = try UndoModel.insert(6, into: bench.context)
        try bench.objects[1].add(new, forKey: "ranks")
        try bench.context.processPendingChanges()
        try bench.context.obtainPermanentIDs(for: [new])
        #expect(!new.objectID.isTemporaryID)
        try bench.manager.undo()
        #expect(try bench.difference == nil)
        #expect(!bench.context.hasChanges)
        try bench.manager.redo()
        #expect(try bench.objects[1].objects(forKey: "ranks").last === new)
        try bench.context.save()
        #expect(try bench.container.makeContext().count("Item") == 7)
    }
}
