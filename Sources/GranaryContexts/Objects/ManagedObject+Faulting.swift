import GranaryCoordination
import GranaryModel

extension ManagedObject {
    /// Makes sure that the values are there. To be called before anything looks at them.
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) when the store has the object no longer; what reading throws.
    func fire() throws {
        guard isFault else { return }
        // Without its context the object still has the row that it was made from.
        if managedObjectContext == nil {
            if hasKeptValues { return awake(with: values) }
            if let row, row.version == version { return awake(from: row) }
        }
        try liveContext().fulfill(self)
    }

    /// Takes the values of a row, and is a fault no longer.
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

    /// Becomes a fault that keeps the stored values, and leaves its context.
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

    /// Lets go of the values. Changes are lost.
    func turnIntoFault() {
        guard !isFault else { return }
        willTurnIntoFault()
        values = ObjectValues(layout.blanks)
        snapshot = nil
        isFault = true
        didTurnIntoFault()
    }
}
