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
