/// The values that a refused step could not compute. They are NULL in the store that the next step reads, which must not
/// report them again.
package struct ReportedValues: Sendable {
    private struct Place: Hashable {
        let entity: Int
        let slot: Int
    }

    /// By concrete entity and slot.
    private var keys: [Place: KeySet] = [:]

    package init() {}

    var isEmpty: Bool { keys.isEmpty }

    func contains(_ key: Int64, entity: Int, slot: Int) -> Bool {
        keys[Place(entity: entity, slot: slot)]?.contains(key) ?? false
    }

    mutating func insert(_ key: Int64, entity: Int, slot: Int) {
        keys[Place(entity: entity, slot: slot), default: KeySet()].insert(key)
    }
}
