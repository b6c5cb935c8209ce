import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport

/// A random program of changes to a few objects, undone to its start and redone to its end.
///
/// Where a group ends, the state is kept, and the group gets the state's number as its name. So each state that undo
/// and redo come to is known from the names.
struct UndoProgram {
    enum Kind {
        /// Nothing is saved before the end.
        case unsaved
        /// Saves lie between the changes and between the steps of undo and redo.
        case saved
        /// After each save all objects become faults, which lose transient values: the program sets none.
        case refreshed
    }

    let container: PersistentContainer
    let context: ManagedObjectContext
    let manager = ObjectUndoManager()
    let kind: Kind
    let ends: [UndoModel.End]
    var random: SeededGenerator
    /// The objects that can be changed.
    var live: [ManagedObject] = []
    var count: Int64 = 0
    var borders: [UndoSnapshot] = []

    init(_ factory: StoreFactory, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let kind: Kind = seed.isMultiple(of: 2) ? .unsaved : seed % 4 == 1 ? .saved : .refreshed
        let usable = UndoModel.relations.filter { relation in kind == .unsaved || relation.allSatisfy(\.isStable) }
        // Only what the program can have changed is looked at: that is what takes the time.
        ends = usable.shuffled(using: &random).prefix(3).flatMap { $0 }
        container = try UndoModel.container(factory)
        context = container.makeContext()
        self.kind = kind
        self.random = random
        for _ in 0..<3 { try insert() }
        try context.save()
        context.undoManager = manager
    }

    mutating func run(length: Int) throws {
        borders = [try look()]
        for _ in 0..<length { try step() }
        try endGroups()
        // Redo may still lead on from here.
        while manager.canRedo { try redo() }
        try endGroup()
        let last = borders.count - 1
        while manager.canUndo {
            try undo()
            try saveAtTimes()
        }
        try check(0, "undone to the start")
        if kind == .unsaved {
            guard !context.hasChanges else { throw UndoFailure("undone to the start, there is something to save") }
        } else {
            try saveAndCheck()
        }
        while manager.canRedo {
            try redo()
            try saveAtTimes()
        }
        try check(last, "redone to the end")
        try saveAndCheck()
    }

    private mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<9: try live.count < 7 ? insert() : delete()
        case 9..<17: try live.count > 2 ? delete() : insert()
        case 17..<25: try setAttribute()
        case 25..<34:
            if manager.groupingLevel == 0 { try endGroup() } else { try context.processPendingChanges() }
        case 34..<39: try beginGroup()
        case 39..<47: try closeGroup()
        case 47..<51: try wander()
        case 51..<56 where kind != .unsaved:
            try save()
            if manager.groupingLevel == 0 { try endGroup() }
        default: try setLink()
        }
    }

    // MARK: - Changes

    private mutating func insert() throws {
        live.append(try UndoModel.insert(count, into: context))
        count += 1
    }

    private mutating func delete() throws {
        guard let object = live.randomElement(using: &random) else { return }
        try context.delete(object)
        live.removeAll(where: \.isDeleted)
    }

    private mutating func setAttribute() throws {
        guard let object = live.randomElement(using: &random) else { return }
        let number = Int64.random(in: 0..<4, using: &random)
        if kind == .refreshed || Bool.random(using: &random) {
            try object.setValue(number == 0 ? nil : .string("name \(number)"), forKey: "name")
        } else {
            try object.setValue(.integer(number), forKey: "mood")
        }
    }

    private mutating func setLink() throws {
        guard let end = ends.randomElement(using: &random), let object = live.randomElement(using: &random),
            let other = live.randomElement(using: &random)
        else { return }
        guard end.isMany else {
            let isRemoved = Int.random(in: 0..<4, using: &random) == 0
            try object.setObject(isRemoved ? nil : other, forKey: end.name)
            return
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try object.remove(other, forKey: end.name)
        case 1:
            let size = Int.random(in: 0...4, using: &random)
            try object.setObjects(Array(live.shuffled(using: &random).prefix(size)), forKey: end.name)
        default: try object.add(other, forKey: end.name)
        }
    }

    private mutating func save() throws {
        try context.save()
        guard !context.hasChanges else { throw UndoFailure("there is something to save after a save") }
        if kind == .refreshed { try context.refreshAllObjects() }
        // Objects that only this list held go, and come back as others.
        live = []
        live = try context.fetchAll("Item")
        // Who owns a member over a relationship without an inverse is known once the owner's links are read.
        for end in ends where end.isExclusive {
            for object in live { _ = try object.objects(forKey: end.name) }
        }
    }

    // MARK: - Groups

    private mutating func endGroup() throws {
        try context.processPendingChanges()
        borders.append(try look())
        manager.setActionName("\(borders.count - 1)")
    }

    private mutating func beginGroup() throws {
        // What comes before is a group of its own.
        if manager.groupingLevel == 0 { try endGroup() }
        if manager.groupingLevel < 3 { manager.beginUndoGrouping() }
    }

    private mutating func closeGroup() throws {
        guard manager.groupingLevel > 0 else { return try setLink() }
        try manager.endUndoGrouping()
        if manager.groupingLevel == 0 { try endGroup() }
    }

    private mutating func endGroups() throws {
        while manager.groupingLevel > 0 { try manager.endUndoGrouping() }
        try endGroup()
    }

    // MARK: - Undo and redo

    /// Some steps back and perhaps forth; what is changed afterwards makes an end of redo.
    private mutating func wander() throws {
        try endGroups()
        for _ in 0..<Int.random(in: 1...3, using: &random) where manager.canUndo { try undo() }
        if Bool.random(using: &random), manager.canRedo { try redo() }
        live = try context.fetchAll("Item")
    }

    private func undo() throws {
        let name = manager.undoActionName
        try manager.undo()
        guard manager.redoActionName == name else { throw UndoFailure("the name \(name) was lost by undo") }
        try check(Int(manager.undoActionName) ?? 0, "undo")
    }

    private func redo() throws {
        let name = manager.redoActionName
        try manager.redo()
        guard manager.undoActionName == name else { throw UndoFailure("the name \(name) was lost by redo") }
        try check(Int(name) ?? 0, "redo")
    }

    private mutating func saveAtTimes() throws {
        if kind != .unsaved, Int.random(in: 0..<5, using: &random) == 0 { try save() }
    }

    // MARK: - Checks

    private func look() throws -> UndoSnapshot {
        let found = try UndoSnapshot(of: context, ends, withState: kind == .unsaved)
        if let problem = found.disagreement { throw UndoFailure(problem) }
        if let first = borders.first, let problem = found.unnoticedChange(since: first) { throw UndoFailure(problem) }
        return found
    }

    private func check(_ place: Int, _ what: String) throws {
        guard borders.indices.contains(place) else { throw UndoFailure("\(what): there is no state \(place)") }
        do {
            if let problem = try look().difference(from: borders[place]) { throw UndoFailure(problem) }
        } catch { throw UndoFailure("\(what), to state \(place) of \(borders.count): \(error)") }
    }

    /// The store has what the context has.
    private mutating func saveAndCheck() throws {
        try save()
        let here = try UndoSnapshot(of: context, ends)
        let there = try UndoSnapshot(of: container.makeContext(), ends)
        if let problem = there.stored.difference(from: here.stored) { throw UndoFailure("in the store \(problem)") }
    }
}
