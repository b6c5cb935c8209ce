import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The name of an attribute with the Swift type of its values.
///
/// ```swift
/// extension AttributeKey where Value == String {
///     static var name: Self { Self("name") }
/// }
/// let name = try customer[.name]
/// try customer.set("Ann", for: .name)
/// ```
public struct AttributeKey<Value: AttributeRepresentable>: Sendable, Hashable {
    /// The attribute's name; a composite's leaf is `composite.leaf`.
    public let name: String

    /// Creates the key of an attribute.
    public init(_ name: String) { self.name = name }
}

extension ManagedObject {
    /// The value of an attribute; nil for NULL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the entity has no such attribute, or the value is not of the
    ///   key's type; any error from reading a fault.
    public subscript<Value>(key: AttributeKey<Value>) -> Value? {
        get throws {
            guard let value = try value(forKey: key.name) else { return nil }
            guard let result = Value(value) else {
                throw GranaryError(
                    .usage, "\(entity.name).\(key.name) holds \(value.phrase), which is not a \(Value.self)")
            }
            return result
        }
    }

    /// Sets an attribute; nil removes its value.
    ///
    /// - Throws: ``GranaryError``, as ``setValue(_:forKey:)``.
    public func set<Value>(_ value: Value?, for key: AttributeKey<Value>) throws {
        try setValue(value?.attributeValue, forKey: key.name)
    }
}
