import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObject {
    /// Returns the changed persistent properties with their current values. For a new object these are the properties
    /// that differ from the model's defaults.
    public func changedValues() -> [String: PropertyValue] {
        let base = isInserted ? ObjectValues(layout.defaults) : snapshot
        guard let base else { return [:] }
        var result: [String: PropertyValue] = [:]
        for attribute in layout.entity.attributes where attribute.isPersistent {
            let value = values[attribute.slot]
            if value != base[attribute.slot] { result[attribute.name] = .attribute(value.attribute) }
        }
        for link in layout.relationships where link.isPersistent && values[link.slot] != base[link.slot] {
            result[link.name] = propertyValue(of: link, values[link.slot])
        }
        return result
    }

    /// Whether a persistent property differs from the store; for a new object, from the model's default.
    /// (`hasPersistentChangedValues`)
    public var hasPersistentChangedValues: Bool { !changedValues().isEmpty }

    /// Returns the stored values of properties; of all properties if `keys` is nil. A new object has none.
    ///
    /// - Throws: ``GranaryError``: `usage` for an unknown property; any error from reading links.
    public func committedValues(forKeys keys: [String]? = nil) throws -> [String: PropertyValue] {
        try access()
        let names = keys ?? layout.entity.attributes.map(\.name) + layout.entity.relationships.map(\.name)
        var result: [String: PropertyValue] = [:]
        for name in names {
            guard let property = layout.entity.property(named: name) else { throw unknown(name) }
            switch property {
            case .attribute(let index):
                let slot = layout.entity.attributes[index].slot
                result[name] = .attribute(isInserted ? nil : (snapshot ?? values)[slot].attribute)
            case .relationship(let index):
                let link = layout.relationships[index]
                guard !isInserted else {
                    result[name] = link.isToMany ? .objects([]) : .object(nil)
                    continue
                }
                try load(link.end)
                result[name] = propertyValue(of: link, (snapshot ?? values)[link.slot])
            }
        }
        return result
    }

    private func propertyValue(of link: LinkLayout, _ value: SlotValue) -> PropertyValue {
        guard link.isToMany else { return .object(value.toOne) }
        let ids = value.toMany?.ids ?? []
        return .objects(link.isOrdered ? ids : (linkContext?.sorted(ids) ?? ids))
    }

    /// Must be called before every change: keeps the stored values and informs the context.
    func willChange() {
        guard !isAwakening else { return }
        if !isInserted, snapshot == nil { snapshot = values }
        managedObjectContext?.noteChange(of: self)
    }

    /// Records the undo step of a change if changes are recorded.
    func record(_ step: @autoclosure () -> UndoStep) {
        guard !isAwakening, let recorder = managedObjectContext?.undoManager, recorder.isRecording else { return }
        recorder.record(step())
    }

    /// Whether any value, including transient ones, differs from the store.
    var differsFromSnapshot: Bool { snapshot.map(differs) ?? false }

    func differs(from other: ObjectValues) -> Bool {
        layout.blanks.indices.contains { values[$0] != other[$0] }
    }

    /// Whether a persistent value differs from the store.
    var hasPersistentChanges: Bool {
        guard let snapshot else { return isRevived }
        if isRevived { return true }
        return layout.entity.attributes.contains { $0.isPersistent && values[$0.slot] != snapshot[$0.slot] }
            || layout.relationships.contains { $0.isPersistent && values[$0.slot] != snapshot[$0.slot] }
    }
}
