import GranaryCoordination
import GranaryModel

extension ManagedObject {
    /// Reads the values if the object is a fault. Must be called before every access to them.
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) if the object was deleted from the store; any error from
    ///   reading.
    func fire() throws {
        guard isFault else { return }
        // Without its context the object can still use its row.
        if managedObjectContext == nil {
            if hasKeptValues { return awake(with: values) }
            if let row, row.version == version { return awake(from: row) }
        }
        try liveContext().fulfill(self)
    }

    /// Takes the values of a row; the object is no longer a fault.
    func awake(from stored: StoredRow) {
        row = stored
        version = stored.version
        awake(with: ObjectValues(stored))
    }

    func awake(with values: ObjectValues) {
        self.values = values
        isFault = false
        isAwakening = true
        awakeFromFetch()
        isAwakening = false
    }

    /// Becomes a fault that keeps the stored values for use without a context.
    func turnIntoFaultKeepingValues() {
        guard !isFault else { return }
        willTurnIntoFault()
        if let snapshot { values = snapshot }
        for attribute in layout.entity.attributes where !attribute.isPersistent {
            values[attribute.slot] = layout.blanks[attribute.slot]
        }
        snapshot = nil
        hasKeptValues = true
        isFault = true
        didTurnIntoFault()
    }

    /// Becomes a fault. Values and changes are discarded.
    func turnIntoFault() {
        guard !isFault else { return }
        managedObjectContext?.dropRecentList()
        willTurnIntoFault()
        values = ObjectValues(layout.blanks)
        snapshot = nil
        isFault = true
        didTurnIntoFault()
    }
}
