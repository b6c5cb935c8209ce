import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Values of Transformable attributes, through their transformers. `value(forKey:)` and `setValue(_:forKey:)` have the
/// bytes, as they do without any transformer.
///
/// What is given out is a copy. Changing it changes nothing in the object until it is set again, and then the change
/// is seen; with Core Data a mutable value that is changed in place is never saved.
///
/// All throw ``GranaryError`` with code `usage` when the entity has no such attribute, it is not Transformable, its
/// transformer is not registered, or the object has lost its context; and what the transformer throws, a
/// ``GranaryError`` with the attribute named in its diagnostics.
extension ManagedObject {
    /// The value of a Transformable attribute; nil for NULL.
    public func transformedValue(forKey key: String) throws -> (any Sendable)? {
        let attribute = try transformable(forKey: key)
        guard let bytes = try data(forKey: key) else { return nil }
        let transformer = try transformer(for: attribute)
        let value: any Sendable = try naming(attribute) { try transformer.decode(bytes) }
        return value
    }

    /// The value of a Transformable attribute as a type; nil for NULL.
    ///
    /// Where the value is a property list, integers may be taken as any type of integer, or as `Double` and `Float`,
    /// that holds them exactly, arrays as sets, nulls as optionals: `[Int]`, `Set<String>`, `[String: [Double]]`.
    ///
    /// - Throws: as ``transformedValue(forKey:)``, and code `usage` when the value is of another type.
    public func transformedValue<Value>(forKey key: String, as valueType: Value.Type) throws -> Value? {
        guard let value = try transformedValue(forKey: key) else { return nil }
        if let result = TransformedConversion.convert(value, to: Value.self) { return result }
        if value is ArchivedNull { return nil }
        throw GranaryError(
            .usage, "\(entity.name).\(key) holds a value of the type \(type(of: value)), not \(Value.self)")
    }

    /// Sets a Transformable attribute; nil for NULL. A value equal to that of the stored bytes is no change, and leaves
    /// the bytes as they are.
    public func setTransformedValue(_ value: (any Sendable)?, forKey key: String) throws {
        let attribute = try transformable(forKey: key)
        guard let value else {
            try setValue(AttributeValue?.none, forKey: key)
            return
        }
        let transformer = try transformer(for: attribute)
        let bytes = try naming(attribute) { try transformer.encode(value) }
        // Apple's archiver writes an equal value with other bytes.
        if let present = try data(forKey: key), let again = try? transformer.encode(transformer.decode(present)),
            again == bytes
        {
            return
        }
        try setValue(AttributeValue.binary(bytes), forKey: key)
    }

    private func transformable(forKey key: String) throws -> Schema.Attribute {
        let attribute = try attribute(forKey: key)
        guard attribute.type == .transformable else {
            throw GranaryError(.usage, "\(entity.name).\(key) is \(attribute.type.phrase), not a Transformable")
        }
        return attribute
    }

    private func transformer(for attribute: Schema.Attribute) throws -> AttributeTransformer {
        guard let context = managedObjectContext else {
            throw GranaryError(.usage, "\(self) belongs to no context any more; its transformers are out of reach")
        }
        return try context.persistentStoreCoordinator.transformers.transformer(for: attribute)
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
