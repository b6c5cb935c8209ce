import ArgumentParser
import Foundation
import GranaryBase

/// A JSON object. Missing values are `null`, or are left out by ``init(present:)``.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { return nil }
    }

    var members: [String: any Encodable]

    init(dictionaryLiteral elements: (String, any Encodable)...) {
        members = Dictionary(elements) { first, _ in first }
    }

    /// An object without the members whose values are nil.
    init(present elements: KeyValuePairs<String, (any Encodable)?>) {
        members = [:]
        for (name, value) in elements { members[name] = value }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
