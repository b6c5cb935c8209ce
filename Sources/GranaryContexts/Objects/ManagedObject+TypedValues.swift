public import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Attribute values in their Swift types; nil for none.
///
/// Each throws ``GranaryError`` with code `usage` when the entity has no attribute of that name, or one of another
/// type.
extension ManagedObject {
    /// An Integer 16, 32 or 64.
    public func integer(forKey key: String) throws -> Int64? {
        try typed(key, [.integer16, .integer32, .integer64]) { if case .integer(let value) = $0 { value } else { nil } }
    }

    /// A Boolean; nil for NULL.
    public func boolean(forKey key: String) throws -> Bool? {
        try typed(key, [.boolean]) { if case .boolean(let value) = $0 { value } else { nil } }
    }

    /// A Float; nil for NULL. The value of a Double attribute is not converted.
    public func float(forKey key: String) throws -> Float? {
        try typed(key, [.float]) { if case .float(let value) = $0 { value } else { nil } }
    }

    /// A Double; nil for NULL. The value of a Float attribute is not converted.
    public func double(forKey key: String) throws -> Double? {
        try typed(key, [.double]) { if case .double(let value) = $0 { value } else { nil } }
    }

    /// A Decimal; nil for NULL. Integers are not converted.
    public func decimal(forKey key: String) throws -> Decimal? {
        try typed(key, [.decimal]) { if case .decimal(let value) = $0 { value } else { nil } }
    }

    /// A String; nil for NULL, which is not the empty text.
    public func string(forKey key: String) throws -> String? {
        try typed(key, [.string]) { if case .string(let value) = $0 { value } else { nil } }
    }

    /// A Date; nil for NULL.
    public func date(forKey key: String) throws -> Date? {
        try typed(key, [.date]) { if case .date(let value) = $0 { value } else { nil } }
    }

    /// Binary data, or the bytes of a Transformable.
    public func data(forKey key: String) throws -> Data? {
        try typed(key, [.binary, .transformable]) { if case .binary(let value) = $0 { value } else { nil } }
    }

    /// A UUID; nil for NULL.
    public func uuid(forKey key: String) throws -> UUID? {
        try typed(key, [.uuid]) { if case .uuid(let value) = $0 { value } else { nil } }
    }

    /// A URI; nil for NULL.
    public func url(forKey key: String) throws -> URL? {
        try typed(key, [.uri]) { if case .uri(let value) = $0 { value } else { nil } }
    }

    private func typed<Value>(
        _ key: String, _ types: [AttributeType], _ cast: (AttributeValue) -> Value?
    ) throws -> Value? {
        let attribute = try attribute(forKey: key)
        // What a transient attribute without a type holds is seen only from its value.
        guard types.contains(attribute.type) || attribute.type == .undefined else { throw mismatch(attribute, types) }
        try fire()
        guard let value = values[attribute.slot].attribute else { return nil }
        guard let result = cast(value) else { throw mismatch(attribute, types) }
        return result
    }

    private func mismatch(_ attribute: Schema.Attribute, _ types: [AttributeType]) -> GranaryError {
        let wanted = types.map(\.phrase).joined(separator: " or ")
        return GranaryError(.usage, "\(entity.name).\(attribute.name) is \(attribute.type.phrase), not \(wanted)")
    }
}
