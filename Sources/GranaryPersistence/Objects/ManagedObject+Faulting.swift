import GranaryModel

extension ManagedObject {
    /// Makes sure that the values are there. To be called before anything looks at them.
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) when the store has the object no longer; what reading throws.
    func fire() throws {
        guard isFault else { return }
        // Without its context the object still has the row that it was made from.
        if managedObjectContext == nil, let row, row.version == version { return awake(from: row) }
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
