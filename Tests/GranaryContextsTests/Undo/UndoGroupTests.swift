import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// What is undone as one, its name, and how much is kept.
@Suite("Undo groups") struct UndoGroupTests {
    let container: PersistentContainer
    let context: ManagedObjectContext
    let manager = ObjectUndoManager()
    let person: ManagedObject

    init() throws {
        container = try PeopleModel.container()
        context = container.makeContext()
        person = try context.insert(into: "Person")
        try context.save()
        context.undoManager = manager
    }

    private func rename(_ name: AttributeValue) throws { try person.setValue(name, forKey: "name") }

    /// A change that is a group of its own.
    private func renameAlone(_ name: AttributeValue) throws {
        try rename(name)
        try context.processPendingChanges()
    }

    @Test("All changes between two calls of processPendingChanges are one group")
    func automaticGroups() throws {
        #expect(!manager.canUndo && !manager.canRedo)
        try rename("a")
        try renameAlone("b")
        try context.processPendingChanges()
        try rename("c")
        try manager.undo()
        #expect(person["name"] == "b")
        try manager.undo()
        #expect(person["name"] == "buddy")
        #expect(!manager.canUndo && manager.canRedo && !context.hasChanges)
        try manager.undo()
        try manager.redo()
        #expect(person["name"] == "b")
        try manager.redo()
        #expect(person["name"] == "c")
        #expect(manager.canUndo && !manager.canRedo && context.updatedObjects == [person])
        try manager.redo()
        #expect(person["name"] == "c")
    }

    @Test("A name belongs to the group that is being recorded, or else to the last; it goes along with undo and redo")
    func names() throws {
        try rename("a")
        manager.setActionName("First")
        #expect(manager.undoActionName == "First" && manager.redoActionName == "")
        try context.processPendingChanges()
        try rename("b")
        #expect(manager.undoActionName == "")
        try context.processPendingChanges()
        manager.setActionName("Second")
        #expect(manager.undoActionName == "Second")
        try manager.undo()
        #expect(manager.undoActionName == "First" && manager.redoActionName == "Second")
        try manager.undo()
        #expect(manager.undoActionName == "" && manager.redoActionName == "First")
        try manager.redo()
        #expect(manager.undoActionName == "First" && manager.redoActionName == "Second")
        manager.beginUndoGrouping()
        manager.setActionName("Third")
        try rename("c")
        try manager.endUndoGrouping()
        #expect(manager.undoActionName == "Third" && manager.redoActionName == "")
    }

    @Test("A group without changes leaves nothing behind, not its name either")
    func emptyGroup() throws {
        manager.beginUndoGrouping()
        manager.setActionName("Nothing")
        try manager.endUndoGrouping()
        #expect(!manager.canUndo && manager.undoActionName == "")
        try renameAlone("a")
        #expect(manager.undoActionName == "")
    }

    struct Limit: Sendable, CustomTestStringConvertible {
        let levels: Int
        let isSetBefore: Bool
        let name: String

        var testDescription: String { "\(levels) levels, set \(isSetBefore ? "before" : "after")" }
    }

    /// Of the limit, and of the name after everything was undone that could be.
    static let limits = [(0, "buddy"), (1, "3"), (3, "1"), (4, "buddy"), (9, "buddy")].flatMap { levels, name in
        [true, false].map { Limit(levels: levels, isSetBefore: $0, name: name) }
    }

    @Test("Of four changes the limit keeps the last ones", arguments: limits)
    func limit(_ limit: Limit) throws {
        if limit.isSetBefore { manager.levelsOfUndo = limit.levels }
        for number in 1...4 { try renameAlone(.string("\(number)")) }
        manager.levelsOfUndo = limit.levels
        for _ in 0..<5 { try manager.undo() }
        #expect(person["name"] == .string(limit.name))
        #expect(!manager.canUndo)
        for _ in 0..<5 { try manager.redo() }
        #expect(person["name"] == "4")
    }

    @Test("Groups inside a group are undone with it; processPendingChanges does not end it")
    func nestedGroups() throws {
        try rename("before")
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 1)
        try rename("a")
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 2)
        try person.setValue("inside", forKey: "note")
        try context.processPendingChanges()
        try manager.endUndoGrouping()
        try renameAlone("b")
        #expect(manager.groupingLevel == 1)
        try manager.endUndoGrouping()
        #expect(manager.groupingLevel == 0)
        try manager.undo()
        #expect(person["name"] == "before" && person["note"] == nil)
        try manager.undo()
        #expect(person["name"] == "buddy" && !context.hasChanges)
        try manager.redo()
        try manager.redo()
        #expect(person["name"] == "b" && person["note"] == "inside")
    }

    @Test("Undo ends the one group that is open, and refuses when there are groups in groups")
    func openGroups() throws {
        manager.beginUndoGrouping()
        manager.beginUndoGrouping()
        try rename("a")
        for step in [manager.undo, manager.redo] {
            let error = #expect(throws: GranaryError.self) { try step() }
            #expect(error?.code == .usage)
        }
        #expect(person["name"] == "a" && manager.groupingLevel == 2)
        try manager.endUndoGrouping()
        try manager.undo()
        #expect(person["name"] == "buddy" && manager.groupingLevel == 0 && manager.canRedo)
    }

    @Test("A group that was not begun cannot be ended")
    func unbegunGroup() throws {
        var error = #expect(throws: GranaryError.self) { try manager.endUndoGrouping() }
        #expect(error?.code == .usage)
        manager.beginUndoGrouping()
        try manager.endUndoGrouping()
        error = #expect(throws: GranaryError.self) { try manager.endUndoGrouping() }
        #expect(error?.code == .usage && manager.groupingLevel == 0)
    }

    @Test("A new change makes an end of redo")
    func newChange() throws {
        try renameAlone("a")
        try renameAlone("b")
        try manager.undo()
        #expect(manager.canRedo)
        // An equal value is no change.
        try renameAlone("a")
        #expect(manager.canRedo)
        try rename("c")
        #expect(!manager.canRedo)
        try manager.redo()
        #expect(person["name"] == "c")
        try manager.undo()
        #expect(person["name"] == "a")
    }

    @Test("Rollback and reset leave nothing to undo or redo", arguments: [true, false])
    func emptied(_ isReset: Bool) throws {
        try renameAlone("a")
        try renameAlone("b")
        try manager.undo()
        manager.beginUndoGrouping()
        #expect(manager.canUndo && manager.canRedo)
        if isReset { context.reset() } else { context.rollback() }
        #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
        try manager.undo()
        try manager.redo()
        let stored = try context.fetchAll("Person")
        #expect(stored.map { $0["name"] } == ["buddy"] && !context.hasChanges)
    }

    @Test("What is not registered is not undone; calls to disable nest")
    func registration() throws {
        try renameAlone("a")
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        try person.setValue("unseen", forKey: "note")
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        try person.setValue(9, forKey: "number")
        manager.enableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled)
        try person.setValue(10, forKey: "salary")
        try manager.undo()
        #expect(person["salary"] == nil && person["number"] == 9 && person["note"] == "unseen")
        try manager.undo()
        #expect(person["name"] == "buddy" && person["number"] == 9 && person["note"] == "unseen")
        #expect(!manager.canUndo && context.updatedObjects == [person])
    }

    @Test("A context without its manager records nothing, and the manager forgets what it had")
    func detached() throws {
        try renameAlone("a")
        context.undoManager = nil
        #expect(!manager.canUndo)
        try rename("b")
        #expect(!manager.canUndo)
        try manager.undo()
        #expect(person["name"] == "b")
    }
}
