import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Updates an object from the store.
    ///
    /// With `mergeChanges`, a changed object keeps its changes on top of the stored values; an unchanged object becomes
    /// a fault. Without, the changes are discarded, also at the other ends of its relationships, and the object becomes
    /// a fault. (`refresh(_:mergeChanges:)`)
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) if a changed object was deleted from the store; `usage` if
    ///   the object belongs to another context or to none; any error from reading. The object is unchanged then.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try checkIsMine(object, "refreshed")
        guard !object.isFault, !object.isDeleted else { return }
        if !mergeChanges {
            try discardChanges(of: object)
        } else if object.isInserted {
            return
        } else if object.isUpdated {
            try withoutUndo { try rebase(object, onto: try storedValues(of: object), winner: .object) }
        } else {
            object.turnIntoFault()
        }
        if tracksChanges { pending.refreshed.insert(object) }
    }

    /// Calls ``refresh(_:mergeChanges:)`` with `mergeChanges` for all registered objects. (`refreshAllObjects()`)
    ///
    /// - Throws: as ``refresh(_:mergeChanges:)``.
    public func refreshAllObjects() throws {
        for object in registeredObjects where object.managedObjectContext === self {
            try refresh(object, mergeChanges: true)
        }
    }

    /// Updates an object with a row that was just read. Its unsaved changes are kept.
    func refresh(_ object: ManagedObject, with row: StoredRow) throws {
        guard !object.isFault, !object.isDeleted, !object.isInserted else { return }
        guard object.version != row.version else {
            // Triggers change derived values without raising the version.
            object.takeDerived { row.value(at: $0) }
            return
        }
        if object.isUpdated {
            try withoutUndo { try rebase(object, onto: StoredValues(row), winner: .object) }
        } else {
            object.turnIntoFault()
            object.row = row
            object.version = row.version
        }
        if tracksChanges { pending.refreshed.insert(object) }
    }

    private func discardChanges(of object: ManagedObject) throws {
        if object.isUpdated, let snapshot = object.snapshot {
            try withoutUndo { try object.restoreLinks(from: snapshot) }
            object.isUpdated = false
            updated.remove(object)
        } else if object.isInserted {
            try withoutUndo { try object.restoreLinks(from: ObjectValues(object.layout.defaults)) }
        }
        object.turnIntoFault()
    }

    /// Runs `body` without recording changes for undo.
    func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        return try body()
    }
}
