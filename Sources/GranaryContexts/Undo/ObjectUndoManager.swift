public import GranaryBase
import GranaryCoordination

/// Records the changes of one context in groups, takes them back and makes them again. (`UndoManager`; Linux's
/// Foundation has none, so the name differs.)
///
/// All changes between two calls of ``ManagedObjectContext/processPendingChanges()`` are one group; saves, undo and
/// redo call it too. ``beginUndoGrouping()`` and ``endUndoGrouping()`` make a group of what is between them. Undo
/// reaches back over saves: a saved insertion is deleted again, a saved deletion becomes a new object with the old values
/// and a new ID. Rollback and reset empty it.
///
/// ```swift
/// context.undoManager = ObjectUndoManager()
/// try coffee.setValue("Java", forKey: "name")
/// try context.undoManager?.undo()
/// ```
public final class ObjectUndoManager {
    private struct Group {
        var steps: [UndoStep] = []
        var name = ""
    }

    /// How many groups can be undone at most; the oldest go first. 0 for any number. (`levelsOfUndo`)
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// How many groups are open. (`groupingLevel`)
    public private(set) var groupingLevel = 0

    private weak var context: ManagedObjectContext?
    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    /// What was recorded since the last group was closed.
    private var current = Group()
    private var disabledCount = 0
    private var isBusy = false
    /// The IDs that objects got after the steps were recorded.
    private var renames: [ManagedObjectID: ManagedObjectID] = [:]

    /// A manager with nothing to undo; set it as a context's ``ManagedObjectContext/undoManager``.
    public init() {}

    /// Whether there is a change to take back.
    public var canUndo: Bool { !undoGroups.isEmpty || !current.steps.isEmpty }
    /// Whether there is a change that was taken back, and none was made since.
    public var canRedo: Bool { !redoGroups.isEmpty && current.steps.isEmpty }
    /// What the next group to be undone is called; empty for no name. (`undoActionName`)
    public var undoActionName: String { current.steps.isEmpty ? undoGroups.last?.name ?? "" : current.name }
    /// What the next group to be redone is called; empty for no name. (`redoActionName`)
    public var redoActionName: String { redoGroups.last?.name ?? "" }
    /// Whether changes are recorded. (`isUndoRegistrationEnabled`)
    public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    /// Changes are not recorded from now on. Calls nest.
    public func disableUndoRegistration() { disabledCount += 1 }

    /// Takes back one call of ``disableUndoRegistration()``.
    public func enableUndoRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Names the group that is being recorded, or else the last one. (`setActionName(_:)`)
    public func setActionName(_ name: String) {
        if groupingLevel > 0 || !current.steps.isEmpty || undoGroups.isEmpty {
            current.name = name
        } else {
            undoGroups[undoGroups.count - 1].name = name
        }
    }

    /// Starts a group; groups inside it are undone with it.
    public func beginUndoGrouping() {
        if groupingLevel == 0 { closeGroup() }
        groupingLevel += 1
    }

    /// Ends the group that was started last.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when none is open.
    public func endUndoGrouping() throws(GranaryError) {
        guard groupingLevel > 0 else { throw GranaryError(.usage, "there is no undo group to end") }
        groupingLevel -= 1
        if groupingLevel == 0 { closeGroup() }
    }

    /// Takes back the last group; without one nothing happens. An open group is ended first.
    ///
    /// - Throws: ``GranaryError``: `usage` when groups are open inside a group; when objects that were turned into
    ///   faults since cannot be read again: nothing is undone then.
    public func undo() throws { try run(from: \.undoGroups, to: \.redoGroups) }

    /// Makes the last group that was undone again; without one nothing happens.
    ///
    /// - Throws: as ``undo()``.
    public func redo() throws { try run(from: \.redoGroups, to: \.undoGroups) }

    /// Forgets everything that could be undone or redone.
    public func removeAllActions() {
        undoGroups = []
        redoGroups = []
        current = Group()
        groupingLevel = 0
        renames = [:]
    }

    private func run(
        from source: ReferenceWritableKeyPath<ObjectUndoManager, [Group]>,
        to target: ReferenceWritableKeyPath<ObjectUndoManager, [Group]>
    ) throws {
        guard groupingLevel <= 1 else { throw GranaryError(.usage, "there are undo groups that were not ended") }
        if groupingLevel == 1 { try endUndoGrouping() }
        guard let context, !isBusy else { return }
        try context.processPendingChanges()
        guard let group = self[keyPath: source].last else { return }
        isBusy = true
        defer { isBusy = false }
        let opposite = Group(steps: try context.apply(group.steps), name: group.name)
        self[keyPath: source].removeLast()
        self[keyPath: target].append(opposite)
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0, undoGroups.count > levelsOfUndo else { return }
        undoGroups.removeFirst(undoGroups.count - levelsOfUndo)
    }

    // MARK: - For the context

    var isRecording: Bool { disabledCount == 0 && !isBusy }

    func attach(to context: ManagedObjectContext) {
        guard self.context !== context else { return }
        let former = self.context
        removeAllActions()
        self.context = context
        if let former, former.undoManager === self { former.undoManager = nil }
        self.context = context
    }

    func detach() {
        removeAllActions()
        context = nil
    }

    func record(_ step: UndoStep) {
        current.steps.append(step)
        redoGroups = []
    }

    /// What was recorded so far is one group.
    func closeGroup() {
        guard groupingLevel == 0 else { return }
        // A name without a change is the name of nothing.
        defer { current = Group() }
        guard !current.steps.isEmpty else { return }
        undoGroups.append(current)
        trim()
    }

    /// An object got another ID.
    func noteRenaming(of old: ManagedObjectID, to new: ManagedObjectID) {
        if canUndo || canRedo || isBusy { renames[old] = new }
    }

    /// The ID that an object has now.
    func current(_ id: ManagedObjectID) -> ManagedObjectID {
        var id = id
        // IDs are never given twice, so this ends.
        while let next = renames[id] { id = next }
        return id
    }
}

/// How one change of a context is taken back. Taking it back gives the step that makes the change again.
enum UndoStep {
    /// Gives a property the value it had.
    case set(ManagedObject, slot: Int, SlotValue)
    /// Puts a member of a to-many relationship back, in its place where there is an order.
    case link(ManagedObject, slot: Int, ManagedObjectID, place: Int?)
    /// Takes a member out of a to-many relationship.
    case unlink(ManagedObject, slot: Int, ManagedObjectID)
    /// Takes an object back out of the context.
    case withdraw(ManagedObject)
    /// Brings a deleted object back.
    case reinstate(ManagedObject)
    /// Who holds a member of a to-many relationship that has no inverse.
    case exclusiveOwner(ManagedObjectID?, of: ManagedObjectID, over: LinkLayout.ID)

    /// The object that it changes; nil where that is none.
    var object: ManagedObject? {
        switch self {
        case .set(let object, _, _), .link(let object, _, _, _), .unlink(let object, _, _), .withdraw(let object),
            .reinstate(let object):
            object
        case .exclusiveOwner: nil
        }
    }
}
