public import Foundation
import GranaryBase
public import GranaryCoordination

/// Encodes a structure of values (``ManagedObjectValues``) in the form of Granary's JSON export. NULL is written as null.
public struct ValueEncoder {
    private var container: KeyedEncodingContainer<ValueKey>
    private let properties: [ValueProperty]

    init(_ encoder: any Encoder, _ properties: [ValueProperty]) {
        container = encoder.container(keyedBy: ValueKey.self)
        self.properties = properties
    }

    mutating func write(_ id: ManagedObjectID) throws { try container.encode(name(id), forKey: .objectID) }

    /// Writes the property with an index.
    public mutating func write(_ value: Int16?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Int32?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Int64?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Double?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Float?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Bool?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: Decimal?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: String?, _ index: Int) throws { try encode(value, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: UUID?, _ index: Int) throws { try encode(value?.uuidString, index) }
    /// Writes the property with an index.
    public mutating func write(_ value: URL?, _ index: Int) throws { try encode(value?.absoluteString, index) }

    /// Writes the property with an index, in Base64.
    public mutating func write(_ value: Data?, _ index: Int) throws {
        try encode(value?.base64EncodedString(), index)
    }

    /// Writes the property with an index, in ISO 8601.
    public mutating func write(_ value: Date?, _ index: Int) throws {
        try encode(value.map { try text($0, key(index)) }, index)
    }

    /// Writes the property with an index, as `Book/p1`.
    public mutating func write(_ value: ManagedObjectID?, _ index: Int) throws {
        try encode(value.map { try name($0) }, index)
    }

    private mutating func encode(_ value: (some Encodable)?, _ index: Int) throws {
        let key = try key(index)
        guard let value else { return try container.encodeNil(forKey: key) }
        try container.encode(value, forKey: key)
    }

    private func key(_ index: Int) throws -> ValueKey {
        guard properties.indices.contains(index) else {
            throw GranaryError(.usage, "there is no property with the index \(index)")
        }
        return ValueKey(properties[index].name)
    }

    private func text(_ date: Date, _ key: ValueKey) throws -> String {
        var bytes: [UInt8] = []
        if DateText.append(date.timeIntervalSinceReferenceDate, to: &bytes) {
            return String(decoding: bytes, as: UTF8.self)
        }
        throw EncodingError.invalidValue(
            date,
            EncodingError.Context(
                codingPath: container.codingPath + [key],
                debugDescription: "the date is outside the years 0000 to 9999, so it has no form in ISO 8601"))
    }

    private func name(_ id: ManagedObjectID) throws -> String {
        if let name = id.exportName { return name }
        throw EncodingError.invalidValue(
            id,
            EncodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "\(id) is a temporary ID; save the object first"))
    }
}
