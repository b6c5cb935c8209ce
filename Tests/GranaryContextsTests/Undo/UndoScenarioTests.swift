import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// The UND scenarios of docs/core-data/behaviours.md#und-undo-redo-rollback, under their numbers.
@Suite("Undo scenarios") struct UndoScenarioTests {
    @Test("UND-01: insert, undo, redo, rollback, redo")
    func rollbackEmptiesTheStack() async throws {
        let counts = try await PeopleModel.container().newBackgroundContext().perform { context in
            let manager = ObjectUndoManager()
            context.undoManager = manager
            var counts: [Int] = []
            try context.insert(into: "Person")
            try context.undo()
            counts.append(context.insertedObjects.count)
            try context.redo()
            counts.append(context.insertedObjects.count)
            context.rollback()
            counts.append(context.insertedObjects.count)
            try context.redo()
            counts.append(context.insertedObjects.count)
            return counts
        }
        #expect(counts == [0, 1, 0, 0])
    }

    @Test("UND-01: without a manager undo does nothing, rollback does")
    func withoutManager() async throws {
        let counts = try await PeopleModel.container().newBackgroundContext().perform { context in
            var counts: [Int] = []
            try context.insert(into: "Person")
            try context.undo()
            try context.redo()
            counts.append(context.insertedObjects.count)
            context.rollback()
            counts.append(context.insertedObjects.count)
            return counts
        }
        #expect(counts == [1, 0])
    }

    @Test("UND-01: an insertion while registration is disabled stays")
    func unregisteredInsertion() async throws {
        let count = try await PeopleModel.container().newBackgroundContext().perform { context in
            let manager = ObjectUndoManager()
            context.undoManager = manager
            try context.processPendingChanges()
            manager.disableUndoRegistration()
            try context.insert(into: "Person")
            try context.processPendingChanges()
            manager.enableUndoRegistration()
            try manager.undo()
            return context.insertedObjects.count
        }
        #expect(count == 1)
    }

    @Test(
        "UND-03: after a refused save rollback drops the new object; undo takes it back, too", arguments: [true, false])
    func refusedSave(_ isUndone: Bool) throws {
        let context = try PersistentContainer(model: ConformanceModel.model, store: .inMemory).makeContext()
        let manager = ObjectUndoManager()
        context.undoManager = manager
        let accounts = try ["a", "b", "a"].map { email in
            let account = try context.insert(into: "Account")
            try account.setValue(.string(email), forKey: "email")
            if email == "b" { try context.save() }
            return account
        }
        #expect(throws: GranaryError.self) { try context.save() }
        #expect(context.registeredObjects == Set(accounts) && manager.canUndo)
        if isUndone {
            try manager.undo()
            try context.save()
            #expect(manager.canRedo)
        } else {
            context.rollback()
            #expect(!manager.canUndo)
        }
        #expect(context.registeredObjects == Set(accounts.prefix(2)) && !context.hasChanges)
        #expect(try context.count("Account") == 2)
    }
}
