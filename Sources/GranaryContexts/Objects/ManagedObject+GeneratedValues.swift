import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// Access to values for the properties of generated classes, which cannot throw.
///
/// If reading fails, the result is nil or the type's empty value; if setting fails, the old value remains. The context
/// remembers the first error (``ManagedObjectContext/accessError``), and its next save throws it. If the object was
/// created without a context, its insertion throws the error. If the object has lost its context, the next save of that
/// context throws it.
extension ManagedObject {
    /// Returns the value of an attribute; nil for NULL.
    public func typedValue<Value: AttributeRepresentable>(forKey key: String) -> Value? {
        accessing(nil) { try self[AttributeKey<Value>(key)] }
    }

    /// Returns the value of an attribute; the type's empty value for NULL, as Core Data's scalar properties do.
    public func requiredValue<Value: EmptyRepresentable>(forKey key: String) -> Value {
        typedValue(forKey: key) ?? Value.emptyValue
    }

    /// Sets an attribute; nil for NULL.
    public func setTypedValue<Value: AttributeRepresentable>(_ value: Value?, forKey key: String) {
        accessing(()) { try setValue(value?.attributeValue, forKey: key) }
    }

    /// Returns the value of an attribute of any type; nil for NULL.
    public func untypedValue(forKey key: String) -> AttributeValue? {
        accessing(nil) { try value(forKey: key) }
    }

    /// Sets an attribute of any type; nil for NULL.
    public func setUntypedValue(_ value: AttributeValue?, forKey key: String) {
        accessing(()) { try setValue(value, forKey: key) }
    }

    // MARK: - Transformable attributes

    /// Returns the value of a Transformable attribute as a type, as ``transformedValue(forKey:as:)``.
    public func typedTransformedValue<Value>(forKey key: String) -> Value? {
        accessing(nil) { try transformedValue(forKey: key, as: Value.self) }
    }

    /// Returns the value of a Transformable attribute, as ``transformedValue(forKey:)``.
    public func untypedTransformedValue(forKey key: String) -> (any Sendable)? {
        accessing(nil) { try transformedValue(forKey: key) }
    }

    /// Sets a Transformable attribute, as ``setTransformedValue(_:forKey:)``.
    public func setTypedTransformedValue(_ value: (any Sendable)?, forKey key: String) {
        accessing(()) { try setTransformedValue(value, forKey: key) }
    }

    // MARK: - Primitive values

    /// Returns the value of an attribute without reading a fault; nil for NULL. (`primitiveValue(forKey:)`)
    public func typedPrimitiveValue<Value: AttributeRepresentable>(forKey key: String) -> Value? {
        accessing(nil) {
            guard let value = try primitiveValue(forKey: key) else { return nil }
            return try Value(value) ?? self[AttributeKey<Value>(key)]
        }
    }

    /// Sets an attribute without change tracking; nil for NULL. (`setPrimitiveValue(_:forKey:)`)
    public func setTypedPrimitiveValue<Value: AttributeRepresentable>(_ value: Value?, forKey key: String) {
        accessing(()) { try setPrimitiveValue(value?.attributeValue, forKey: key) }
    }

    /// Returns the value of an attribute of any type without reading a fault; nil for NULL.
    public func untypedPrimitiveValue(forKey key: String) -> AttributeValue? {
        accessing(nil) { try primitiveValue(forKey: key) }
    }

    /// Sets an attribute of any type without change tracking; nil for NULL.
    public func setUntypedPrimitiveValue(_ value: AttributeValue?, forKey key: String) {
        accessing(()) { try setPrimitiveValue(value, forKey: key) }
    }

    /// Returns the value of a Transformable attribute as a type without reading a fault; nil for NULL.
    public func typedPrimitiveTransformedValue<Value>(forKey key: String) -> Value? {
        accessing(nil) { try transformedValue(of: primitiveValue(forKey: key), forKey: key, as: Value.self) }
    }

    /// Returns the value of a Transformable attribute without reading a fault; nil for NULL.
    public func untypedPrimitiveTransformedValue(forKey key: String) -> (any Sendable)? {
        accessing(nil) { try transformedValue(of: primitiveValue(forKey: key), forKey: key) }
    }

    /// Sets a Transformable attribute without change tracking; nil for NULL.
    public func setTypedPrimitiveTransformedValue(_ value: (any Sendable)?, forKey key: String) {
        accessing(()) { try setPrimitiveValue(bytes(of: value, unlike: data(forKey: key), forKey: key), forKey: key) }
    }

    // MARK: - Values to validate

    /// Converts a value passed to ``validateValue(_:forKey:)`` to the attribute's own type; nil for NULL.
    public func typedValue<Value: AttributeRepresentable>(of value: AttributeValue?) -> Value? {
        value.flatMap { Value($0) }
    }

    /// Converts a value of a Transformable attribute, passed to ``validateValue(_:forKey:)``, to a type; nil for NULL.
    ///
    /// - Throws: as ``transformedValue(forKey:as:)``.
    public func typedTransformedValue<Value>(of value: AttributeValue?, forKey key: String) throws -> Value? {
        try transformedValue(of: value, forKey: key, as: Value.self)
    }

    /// Converts a value of a Transformable attribute, passed to ``validateValue(_:forKey:)``; nil for NULL.
    ///
    /// - Throws: as ``transformedValue(forKey:)``.
    public func untypedTransformedValue(of value: AttributeValue?, forKey key: String) throws -> (any Sendable)? {
        try transformedValue(of: value, forKey: key)
    }

    /// Runs an access and remembers its error.
    func accessing<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            managedObjectContext?.remember(error)
            detachment?.remember(error)
            loss?.remember(error)
            return fallback()
        }
    }
}
