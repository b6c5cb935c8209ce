public import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Access to attribute values in their Swift types; nil for NULL.
///
/// Each method throws ``GranaryError`` with code `usage` if the entity has no attribute of that name and type.
extension ManagedObject {
    /// Returns an Integer 16, 32 or 64.
    public func integer(forKey key: String) throws -> Int64? {
        try typed(key, [.integer16, .integer32, .integer64])
    }

    /// Returns a Boolean.
    public func boolean(forKey key: String) throws -> Bool? {
        try typed(key, [.boolean])
    }

    /// Returns a Float. Double values are not converted.
    public func float(forKey key: String) throws -> Float? {
        try typed(key, [.float])
    }

    /// Returns a Double. Float values are not converted.
    public func double(forKey key: String) throws -> Double? {
        try typed(key, [.double])
    }

    /// Returns a Decimal. Integers are not converted.
    public func decimal(forKey key: String) throws -> Decimal? {
        try typed(key, [.decimal])
    }

    /// Returns a String, which may be empty.
    public func string(forKey key: String) throws -> String? {
        try typed(key, [.string])
    }

    /// Returns a Date.
    public func date(forKey key: String) throws -> Date? {
        try typed(key, [.date])
    }

    /// Returns binary data, or the bytes of a Transformable.
    public func data(forKey key: String) throws -> Data? {
        try typed(key, [.binary, .transformable])
    }

    /// Returns a UUID.
    public func uuid(forKey key: String) throws -> UUID? {
        try typed(key, [.uuid])
    }

    /// Returns a URI.
    public func url(forKey key: String) throws -> URL? {
        try typed(key, [.uri])
    }

    private func typed<Value: AttributeRepresentable>(_ key: String, _ types: [AttributeType]) throws -> Value? {
        let place = try place(ofAttribute: key)
        // The type of a transient attribute without a declared type is known only from its value.
        guard types.contains(place.type) || place.type == .undefined else { throw mismatch(key, types) }
        try fire()
        guard let value = values[place.slot].attribute else { return nil }
        guard let result = Value(value) else { throw mismatch(key, types) }
        return result
    }

    private func mismatch(_ key: String, _ types: [AttributeType]) -> GranaryError {
        guard let attribute = layout.entity.attribute(named: key) else { return unknown(key) }
        let wanted = types.map(\.phrase).joined(separator: " or ")
        return GranaryError(.usage, "\(entity.name).\(attribute.name) is \(attribute.type.phrase), not \(wanted)")
    }
}
