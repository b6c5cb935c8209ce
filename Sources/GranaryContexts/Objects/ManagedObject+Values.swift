import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

extension ManagedObject {
    /// Returns the value of an attribute; nil for NULL. The name of a composite's leaf is `composite.leaf`.
    ///
    /// - Throws: ``GranaryError``: `usage` if the entity has no attribute of that name; any error from reading a fault.
    public func value(forKey key: String) throws -> AttributeValue? {
        let slot = try place(ofAttribute: key).slot
        try access()
        return values[slot].attribute
    }

    /// Sets an attribute. Setting an equal value is not a change.
    ///
    /// Only the type is checked here; the save checks the model's rules.
    ///
    /// - Throws: ``GranaryError``: `usage` if the entity has no attribute of that name, or the object has lost its
    ///   context and the attribute is persistent; `refused` if the value does not fit the attribute's type: another
    ///   kind (`value.syntax`), an integer out of range or not a number (`value.range`), a Decimal of more than 38
    ///   digits (`value.precision`).
    public func setValue(_ value: AttributeValue?, forKey key: String) throws {
        let attribute = try attribute(forKey: key)
        if let value { try checkType(of: value, for: attribute) }
        if attribute.isPersistent { try refuseLostChange(key) }
        try access()
        managedObjectContext?.policyDecisions?.noteSetting(attribute.slot, of: self)
        let old = values[attribute.slot]
        guard old.attribute != value else { return }
        willChange()
        values[attribute.slot] = .attribute(value)
        record(.set(self, slot: attribute.slot, old))
    }

    /// The value of an attribute; nil also if there is no such attribute or the object was deleted from the store.
    public subscript(key: String) -> AttributeValue? {
        guard let attribute = layout.entity.attribute(named: key), (try? access()) != nil else { return nil }
        return values[attribute.slot].attribute
    }

    /// Where an attribute is among the object's values.
    ///
    /// - Throws: as ``attribute(forKey:)``.
    func place(ofAttribute key: String) throws -> AttributePlaces.Place {
        if let place = layout.attributePlaces[key] { return place }
        let attribute = try attribute(forKey: key)
        return AttributePlaces.Place(slot: attribute.slot, type: attribute.type)
    }

    /// - Throws: ``GranaryError`` with code `usage` if the entity has no attribute of that name.
    func attribute(forKey key: String) throws -> Schema.Attribute {
        if let attribute = layout.entity.attribute(named: key) { return attribute }
        if layout.entity.relationship(named: key) != nil {
            throw GranaryError(
                .usage, "\(entity.name).\(key) is a relationship; use object(forKey:) or objects(forKey:)")
        }
        throw unknown(key)
    }

    /// Returns the error for an unknown property, with the nearest known name.
    func unknown(_ key: String) -> GranaryError {
        let names = layout.entity.attributes.map(\.name) + layout.entity.relationships.map(\.name)
        let hint = NearestText.hint(for: key, in: names)
        return GranaryError(.usage, "\(entity.name) has no property \"\(Diagnostic.shortened(key))\"\(hint)")
    }

    func checkType(of value: AttributeValue, for attribute: Schema.Attribute) throws {
        guard let violation = attribute.typeViolation(of: value) else { return }
        throw GranaryError(
            Diagnostic(
                violation.code, violation.message, entity: entity.name, property: attribute.name,
                value: value.shortText))
    }
}

extension AttributeValue {
    /// The value in diagnostics.
    var shortText: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): Diagnostic.shortened(value)
        case .date(let value): "\(value.timeIntervalSinceReferenceDate) seconds after 2001"
        case .binary(let value): "\(value.count) bytes"
        case .uuid(let value): value.uuidString
        case .uri(let value): Diagnostic.shortened(value.absoluteString)
        }
    }
}
