import GranaryBase
import GranaryCoordination
public import GranaryModel

/// Values past the tracking of changes, for a subclass's own accessors and for ``awakeFromFetch()``.
extension ManagedObject {
    /// The value of an attribute, without reading it from the store: nil while the object is a fault.
    /// (`primitiveValue(forKey:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the entity has no attribute of that name.
    public func primitiveValue(forKey key: String) throws -> AttributeValue? {
        values[try attribute(forKey: key).slot].attribute
    }

    /// Sets an attribute without telling the context: the object is not marked as changed, nothing is recorded for
    /// undo. It is written when the object is saved for another reason. (`setPrimitiveValue(_:forKey:)`)
    ///
    /// - Throws: ``GranaryError``: as ``setValue(_:forKey:)``.
    public func setPrimitiveValue(_ value: AttributeValue?, forKey key: String) throws {
        let attribute = try attribute(forKey: key)
        if let value { try checkType(of: value, for: attribute) }
        try fire()
        managedObjectContext?.policyDecisions?.noteSetting(attribute.slot, of: self)
        values[attribute.slot] = .attribute(value)
    }
}
