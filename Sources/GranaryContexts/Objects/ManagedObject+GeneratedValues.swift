import GranaryCoordination
public import GranaryModel

/// Access to values for the properties of generated classes, which cannot throw.
///
/// If reading fails, the result is nil or the type's empty value; if setting fails, the old value remains. The context
/// remembers the first error (``ManagedObjectContext/accessError``), and its next save throws it. Without a context the
/// error is lost.
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

    /// Runs an access and remembers its error.
    func accessing<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            managedObjectContext?.remember(error)
            return fallback()
        }
    }
}
