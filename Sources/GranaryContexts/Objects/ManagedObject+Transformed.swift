import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Access to the values of Transformable attributes through their transformers. `value(forKey:)` and
/// `setValue(_:forKey:)` access the bytes.
///
/// The values are copies. Changing a copy does not change the object until it is set again, which is detected as a
/// change; with Core Data a mutable value that is changed in place is never saved.
///
/// All methods throw ``GranaryError`` with code `usage` if the entity has no such attribute, it is not Transformable,
/// its transformer is not registered, or the object has lost its context; and any error from the transformer, with the
/// attribute in the diagnostics of a ``GranaryError``.
extension ManagedObject {
    /// Returns the value of a Transformable attribute; nil for NULL.
    public func transformedValue(forKey key: String) throws -> (any Sendable)? {
        try transformedValue(of: value(forKey: transformable(forKey: key).name), forKey: key)
    }

    /// Returns the value of a Transformable attribute as a type; nil for NULL.
    ///
    /// If the value is a property list, integers convert to any integer type, or to `Double` and `Float`, that can hold
    /// them exactly, arrays to sets, and nulls to optionals: `[Int]`, `Set<String>`, `[String: [Double]]`.
    ///
    /// - Throws: as ``transformedValue(forKey:)``, and code `usage` if the value has another type.
    public func transformedValue<Value>(forKey key: String, as valueType: Value.Type) throws -> Value? {
        try transformedValue(of: value(forKey: transformable(forKey: key).name), forKey: key, as: Value.self)
    }

    /// Returns the value that bytes of a Transformable attribute have.
    func transformedValue(of bytes: AttributeValue?, forKey key: String) throws -> (any Sendable)? {
        let attribute = try transformable(forKey: key)
        guard case .binary(let bytes)? = bytes else { return nil }
        let transformer = try transformer(for: attribute)
        let value: any Sendable = try naming(attribute) { try transformer.decode(bytes) }
        return value
    }

    /// Returns the value that bytes of a Transformable attribute have, as a type.
    func transformedValue<Value>(
        of bytes: AttributeValue?, forKey key: String, as valueType: Value.Type
    ) throws -> Value? {
        guard let value = try transformedValue(of: bytes, forKey: key) else { return nil }
        if let result = TransformedConversion.convert(value, to: Value.self) { return result }
        if value is ArchivedNull { return nil }
        throw GranaryError(
            .usage, "\(entity.name).\(key) holds a value of the type \(type(of: value)), not \(Value.self)")
    }

    /// Sets a Transformable attribute; nil for NULL. A value equal to the stored one is not a change and keeps the
    /// stored bytes.
    public func setTransformedValue(_ value: (any Sendable)?, forKey key: String) throws {
        let attribute = try transformable(forKey: key)
        try setValue(bytes(of: value, unlike: data(forKey: attribute.name), forKey: key), forKey: key)
    }

    /// Returns the bytes of a value of a Transformable attribute. If `present` contains the bytes of an equal value,
    /// the function returns `present`, because Apple's archiver encodes an equal value with other bytes.
    func bytes(of value: (any Sendable)?, unlike present: Data?, forKey key: String) throws -> AttributeValue? {
        let attribute = try transformable(forKey: key)
        guard let value else { return nil }
        let transformer = try transformer(for: attribute)
        let bytes = try naming(attribute) { try transformer.encode(value) }
        if let present, let again = try? transformer.encode(transformer.decode(present)), again == bytes {
            return .binary(present)
        }
        return .binary(bytes)
    }

    private func transformable(forKey key: String) throws -> Schema.Attribute {
        let attribute = try attribute(forKey: key)
        guard attribute.type == .transformable else {
            throw GranaryError(.usage, "\(entity.name).\(key) is \(attribute.type.phrase), not a Transformable")
        }
        return attribute
    }

    private func transformer(for attribute: Schema.Attribute) throws -> AttributeTransformer {
        if let context = managedObjectContext {
            return try context.persistentStoreCoordinator.transformers.transformer(for: attribute)
        }
        guard detachment != nil else {
            throw GranaryError(.usage, "\(self) no longer belongs to a context; its transformers cannot be used")
        }
        do { return try AttributeTransformers().transformer(for: attribute) } catch {
            throw GranaryError(
                .usage,
                "\(self) is not inserted yet, so only built-in transformers can be used; insert it before "
                    + "\(attribute.name) is accessed", underlying: error)
        }
    }

    private func naming<Result>(_ attribute: Schema.Attribute, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as GranaryError {
            var named = error
            for index in named.diagnostics.indices {
                named.diagnostics[index].entity = named.diagnostics[index].entity ?? entity.name
                named.diagnostics[index].property = named.diagnostics[index].property ?? attribute.name
            }
            throw named
        }
    }
}
