import GranaryBase
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// Whole composite attributes; for a single leaf use `value(forKey: "composite.leaf")`.
extension ManagedObject {
    /// Returns the non-NULL elements of a composite attribute by name. The elements of a nested composite are named
    /// `inner.leaf`. Empty for NULL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the entity has no such composite; any error from reading a
    ///   fault.
    public func compositeValue(forKey key: String) throws -> [String: AttributeValue] {
        var result: [String: AttributeValue] = [:]
        try fire()
        for (name, leaf) in try leaves(ofComposite: key) {
            if let value = values[leaf.slot].attribute { result[name] = value }
        }
        return result
    }

    /// Sets all elements of a composite attribute; elements that are not given become NULL.
    ///
    /// - Throws: ``GranaryError``: `usage` if the entity has no such composite or element; as ``setValue(_:forKey:)``
    ///   for a value of the wrong type. Nothing is set then.
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
