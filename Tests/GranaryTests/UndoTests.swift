import Granary
import Testing

/// Undo and redo of a context's changes.
@Suite("Undo") struct UndoTests {
    private let context: ManagedObjectContext
    private let manager = ObjectUndoManager()
    private let cup: ManagedObject

    init() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string)])])
        context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        cup = try context.insert(into: "Cup")
        try context.save()
        context.undoManager = manager
    }

    private func rename(_ name: AttributeValue) throws {
        try cup.setValue(name, forKey: "name")
        try context.processPendingChanges()
    }

    @Test("Changes are undone and redone in groups with names")
    func groups() throws {
        #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
        try rename("a")
        manager.beginUndoGrouping()
        try rename("b")
        try rename("c")
        manager.setActionName("Rename")
        #expect(manager.groupingLevel == 1)
        try manager.endUndoGrouping()
        #expect(manager.canUndo && manager.undoActionName == "Rename")
        try context.undo()
        #expect(cup["name"] == "a" && manager.canRedo && manager.redoActionName == "Rename")
        try context.redo()
        #expect(cup["name"] == "c" && !manager.canRedo)
        let error = #expect(throws: GranaryError.self) { try manager.endUndoGrouping() }
        #expect(error?.code == .usage)
    }
}
