import GranaryBase

/// Decodes members from `source`, or encodes them to `target`.
struct MemberCoder<Key: CodingKey> {
    var source: KeyedDecodingContainer<Key>?
    var target: KeyedEncodingContainer<Key>?

    mutating func required<Value: Codable>(_ value: inout Value, _ key: Key) throws {
        if let source { value = try source.decode(Value.self, forKey: key) }
        try target?.encode(value, forKey: key)
    }

    mutating func optional<Value: Codable & Equatable>(
        _ value: inout Value, _ key: Key, or defaultValue: Value
    ) throws {
        if let source { value = try source.decodeIfPresent(Value.self, forKey: key) ?? defaultValue }
        if value != defaultValue { try target?.encode(value, forKey: key) }
    }

    mutating func optional<Value: Codable>(_ value: inout Value?, _ key: Key) throws {
        if let source { value = try source.decodeIfPresent(Value.self, forKey: key) }
        try target?.encodeIfPresent(value, forKey: key)
    }
}
