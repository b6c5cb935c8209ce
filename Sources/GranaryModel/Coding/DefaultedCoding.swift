import GranaryBase

/// Coding that leaves out what is as it is by default: archives stay short, and one written before a member
/// existed still loads.
extension KeyedDecodingContainer {
    func value<T: Decodable>(_ key: Key, or fallback: T) throws -> T {
        try decodeIfPresent(T.self, forKey: key) ?? fallback
    }
}

extension KeyedEncodingContainer {
    mutating func value<T: Encodable & Equatable>(_ value: T, _ key: Key, unless fallback: T) throws {
        if value != fallback { try encode(value, forKey: key) }
    }
}

extension Decoder {
    /// Without this check, a misspelt key would be ignored silently.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a member whose name is not one of the keys.
    func refuseUnknownKeys<Key: CodingKey & CaseIterable>(_: Key.Type, but others: Set<String> = []) throws {
        let known = Set(Key.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            guard !others.contains(key.stringValue) else { continue }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\"\(Diagnostic.shortened(key.stringValue))\" is not known"
                        + NearestText.hint(for: key.stringValue, in: known.sorted())))
        }
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }
}
