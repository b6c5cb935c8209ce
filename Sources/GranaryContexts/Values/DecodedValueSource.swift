import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Values in the form of Granary's JSON export, from a decoder.
struct DecodedValueSource: ValueSource {
    private let container: KeyedDecodingContainer<ValueKey>
    private let properties: [ValueProperty]
    private let coordinator: PersistentStoreCoordinator
    private let entity: Schema.Entity

    init(_ decoder: any Decoder, _ type: (some ManagedObjectValues).Type) throws {
        container = try decoder.container(keyedBy: ValueKey.self)
        properties = type.properties
        coordinator = try PersistentStoreCoordinator.decoding(with: decoder)
        entity = try coordinator.entity(named: type.entityName)
    }

    func objectID() throws -> ManagedObjectID {
        let text = try container.decode(String.self, forKey: .objectID)
        return try resolved(text, .objectID, entity)
    }

    func int16(_ index: Int) throws -> Int16? { try integer(index, .integer16) }
    func int32(_ index: Int) throws -> Int32? { try integer(index, .integer32) }
    func int64(_ index: Int) throws -> Int64? { try decode(index) }
    func double(_ index: Int) throws -> Double? { try decode(index) }
    func float(_ index: Int) throws -> Float? { try decode(index) }
    func bool(_ index: Int) throws -> Bool? { try decode(index) }
    func decimal(_ index: Int) throws -> Decimal? { try decode(index) }
    func string(_ index: Int) throws -> String? { try decode(index) }

    func uuid(_ index: Int) throws -> UUID? { try convert(index, "a UUID") { UUID(uuidString: $0) } }

    func data(_ index: Int) throws -> Data? { try convert(index, "Base64") { Data(base64Encoded: $0) } }

    func url(_ index: Int) throws -> URL? {
        try convert(index, "a URI") { URL(string: $0, encodingInvalidCharacters: false) }
    }

    func date(_ index: Int) throws -> Date? {
        try convert(index, "a date in ISO 8601 with a zone, such as 2026-07-29T14:30:00Z") { text in
            var reader = DateTextReader()
            var text = text
            return text.withUTF8 { try? reader.parse($0) }.map { Date(timeIntervalSinceReferenceDate: $0) }
        }
    }

    func reference(_ index: Int) throws -> ManagedObjectID? {
        guard let text: String = try decode(index) else { return nil }
        let property = try property(index)
        let destination = entity.relationship(named: property.name).map { coordinator.schema.entities[$0.destination] }
        return try resolved(text, ValueKey(property.name), destination)
    }

    // MARK: - Values

    private func property(_ index: Int) throws(GranaryError) -> ValueProperty {
        guard properties.indices.contains(index) else {
            throw GranaryError(.usage, "there is no property with the index \(index)")
        }
        return properties[index]
    }

    private func decode<Value: Decodable>(_ index: Int) throws -> Value? {
        let property = try property(index)
        let key = ValueKey(property.name)
        // A missing required property is an error, unlike null.
        guard property.isRequired, try !container.decodeNil(forKey: key) else {
            return try container.decodeIfPresent(Value.self, forKey: key)
        }
        return try container.decode(Value.self, forKey: key)
    }

    /// A decoder's own error for a number out of range does not name the property.
    private func integer<Value: FixedWidthInteger>(_ index: Int, _ type: AttributeType) throws -> Value? {
        guard let number: Int64 = try decode(index) else { return nil }
        if let value = Value(exactly: number) { return value }
        throw corrupt(ValueKey(try property(index).name), "\(number) does not fit \(type.name)")
    }

    private func convert<Value>(_ index: Int, _ form: String, _ body: (String) -> Value?) throws -> Value? {
        guard let text: String = try decode(index) else { return nil }
        if let value = body(text) { return value }
        throw corrupt(ValueKey(try property(index).name), "\"\(Diagnostic.shortened(text))\" is not \(form)")
    }

    /// Returns the ID that a text like `Book/p1` names.
    private func resolved(_ text: String, _ key: ValueKey, _ entity: Schema.Entity?) throws -> ManagedObjectID {
        do throws(GranaryError) {
            let id = try coordinator.managedObjectID(forExportName: text)
            if let entity, !entity.family.contains(id.entity) {
                throw GranaryError(.refused, "\"\(Diagnostic.shortened(text))\" is not an object of \(entity.name)")
            }
            return id
        } catch {
            throw corrupt(key, error.message)
        }
    }

    private func corrupt(_ key: ValueKey, _ message: String) -> DecodingError {
        DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: container.codingPath + [key], debugDescription: message))
    }
}
