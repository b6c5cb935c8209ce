import GranaryBase
import GranaryCoordination
public import GranaryModel

/// Composite attributes as a whole; a single leaf is `value(forKey: "composite.leaf")`.
extension ManagedObject {
    /// The elements of a composite attribute that have a value, by their names; those of a composite inside it are
    /// `inner.leaf`. Empty for NULL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the entity has no such composite; what reading a fault throws.
    public func compositeValue(forKey key: String) throws -> [String: AttributeValue] {
        var result: [String: AttributeValue] = [:]
        try fire()
        for (name, leaf) in try leaves(ofComposite: key) {
            if let value = values[leaf.slot].attribute { result[name] = value }
        }
        return result
    }

    /// Sets all elements of a composite attribute; those that are not named become NULL.
    ///
    /// - Throws: ``GranaryError``: `usage` when the entity has no such composite, or it no such element; as
    ///   ``setValue(_:forKey:)`` for a value of the wrong type, and then nothing was set.
    public func setCompositeValue(_ elements: [String: AttributeValue], forKey key: String) throws {
        let leaves = try leaves(ofComposite: key)
        let names = Set(leaves.map(\.0))
        for name in elements.keys.sorted() where !names.contains(name) { throw unknown("\(key).\(name)") }
        for (name, leaf) in leaves {
            if let value = elements[name] { try checkType(of: value, for: leaf) }
        }
        for (name, leaf) in leaves { try setValue(elements[name], forKey: leaf.name) }
    }

    private func leaves(ofComposite key: String) throws -> [(String, Schema.Attribute)] {
        let prefix = key + "."
        let found = layout.entity.attributes.filter { $0.name.hasPrefix(prefix) }
        guard !found.isEmpty else { throw unknown(key) }
        return found.map { (String($0.name.dropFirst(prefix.count)), $0) }
    }
}
