public import GranaryBase
import GranaryCoordination

/// Records the changes of one context in groups, to undo and redo them. (`UndoManager`; Linux's Foundation lacks it,
/// hence another name.)
///
/// All changes between two calls of ``ManagedObjectContext/processPendingChanges()`` are one group; saves, undo and
/// redo call it too. ``beginUndoGrouping()`` and ``endUndoGrouping()`` group the changes between them. Undo also
/// reverts saved changes: a saved insertion is deleted again, a saved deletion becomes a new object with the old values
/// and a new ID. Rollback and reset remove all groups.
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

    /// The maximum number of undo groups, 0 for no limit; the oldest are dropped. (`levelsOfUndo`)
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// The number of open groups. (`groupingLevel`)
    public private(set) var groupingLevel = 0

    private weak var context: ManagedObjectContext?
    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    /// The steps since the last group was closed.
    private var current = Group()
    private var disabledCount = 0
    private var isBusy = false
    /// New IDs of objects, assigned after steps were recorded.
    private var renames: [ManagedObjectID: ManagedObjectID] = [:]

    /// Creates a manager; set it as a context's ``ManagedObjectContext/undoManager``.
    public init() {}

    /// Whether there is a change to undo.
    public var canUndo: Bool { !undoGroups.isEmpty || !current.steps.isEmpty }
    /// Whether there is an undone change, and no change since.
    public var canRedo: Bool { !redoGroups.isEmpty && current.steps.isEmpty }
    /// The name of the next group to undo; empty if it has none. (`undoActionName`)
    public var undoActionName: String { current.steps.isEmpty ? undoGroups.last?.name ?? "" : current.name }
    /// The name of the next group to redo; empty if it has none. (`redoActionName`)
    public var redoActionName: String { redoGroups.last?.name ?? "" }
    /// Whether changes are recorded. (`isUndoRegistrationEnabled`)
    public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    /// Stops recording changes. Calls nest.
    public func disableUndoRegistration() { disabledCount += 1 }

    /// Reverts one call of ``disableUndoRegistration()``.
    public func enableUndoRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Names the current group or, if it is empty, the last one. (`setActionName(_:)`)
    public func setActionName(_ name: String) {
        if groupingLevel > 0 || !current.steps.isEmpty || undoGroups.isEmpty {
            current.name = name
        } else {
            undoGroups[undoGroups.count - 1].name = name
        }
    }

    /// Starts a group; nested groups are undone with it.
    public func beginUndoGrouping() {
        if groupingLevel == 0 { closeGroup() }
        groupingLevel += 1
    }

    /// Ends the innermost group.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if no group is open.
    public func endUndoGrouping() throws(GranaryError) {
        guard groupingLevel > 0 else { throw GranaryError(.usage, "there is no undo group to end") }
        groupingLevel -= 1
        if groupingLevel == 0 { closeGroup() }
    }

    /// Undoes the last group, if any. An open group is ended first.
    ///
    /// - Throws: ``GranaryError``: `usage` if nested groups are open; an error if faults cannot be read. Nothing is
    ///   undone then.
    public func undo() throws { try run(from: \.undoGroups, to: \.redoGroups) }

    /// Redoes the last undone group, if any.
    ///
    /// - Throws: as ``undo()``.
    public func redo() throws { try run(from: \.redoGroups, to: \.undoGroups) }

    /// Removes all undo and redo groups.
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
        guard groupingLevel <= 1 else { throw GranaryError(.usage, "nested undo groups are still open") }
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

    /// Closes the current group.
    func closeGroup() {
        guard groupingLevel == 0 else { return }
        // A name without changes is dropped.
        defer { current = Group() }
        guard !current.steps.isEmpty else { return }
        undoGroups.append(current)
        trim()
    }

    /// Records that an object has a new ID.
    func noteRenaming(of old: ManagedObjectID, to new: ManagedObjectID) {
        if canUndo || canRedo || isBusy { renames[old] = new }
    }

    /// Returns the current ID of an object.
    func current(_ id: ManagedObjectID) -> ManagedObjectID {
        var id = id
        // IDs are never reused, so the loop ends.
        while let next = renames[id] { id = next }
        return id
    }
}
