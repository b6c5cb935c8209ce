import ArgumentParser
import Foundation
import GranaryBase

/// The JSON that commands print. Keys are sorted, so that the output is the same each time.
enum CommandJSON {
    static func text(_ value: some Encodable) throws(GranaryError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw GranaryError(.internalDefect, "the result cannot be written as JSON: \(error)", underlying: error)
        }
    }

    /// An object on one line, for JSON Lines.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

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

/// The format of a command's result.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
