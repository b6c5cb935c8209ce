import Foundation
import GranaryBase
import GranaryFormats

/// Writes the value of an archive as JSON. The keys of a dictionary are sorted by their bytes.
///
/// Dates, data, UUIDs, URLs and integer keys become strings, as elsewhere in an export. Archived again they would be
/// strings, so the bytes are written beside such a value.
enum TransformedJSONWriter {
    /// Longer values are not readable.
    static let maximumBytes = 1 << 20
    /// The record itself adds a few levels, and a reader accepts 128 in all.
    static let maximumDepth = 100

    /// - Returns: nil if a part has no JSON form (a number that is not finite, a date outside the years 0000 to 9999),
    ///   or if an importer would reject it by default (U+0000, depth).
    static func text(of root: any Sendable) -> [UInt8]? {
        var json: [UInt8] = []
        return append(root, depth: 0, to: &json) ? json : nil
    }

    /// Recurses once for each level of collections.
    private static func append(_ value: any Sendable, depth: Int, to json: inout [UInt8]) -> Bool {
        if appendScalar(value, to: &json) { return json.count <= maximumBytes }
        guard let (names, members) = open(value), depth < maximumDepth else { return false }
        json.append(names == nil ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        for index in members.indices {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if let names {
                guard !names[index].utf8.contains(0) else { return false }
                JSONText.append(names[index], to: &json)
                json.append(UInt8(ascii: ":"))
            }
            guard append(members[index], depth: depth + 1, to: &json) else { return false }
        }
        json.append(names == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        return json.count <= maximumBytes
    }

    /// - Returns: whether the value is a scalar that JSON can hold.
    private static func appendScalar(_ value: any Sendable, to json: inout [UInt8]) -> Bool {
        switch value {
        case is ArchivedNull: json.append(contentsOf: "null".utf8)
        case let value as Bool: json.append(contentsOf: (value ? "true" : "false").utf8)
        case let value as Int64: IntegerText.append(value, to: &json)
        case let value as UInt64: json.append(contentsOf: value.description.utf8)
        case let value as Double:
            guard value.isFinite else { return false }
            FloatingText.append(value, to: &json)
        case let value as String:
            guard !value.utf8.contains(0) else { return false }
            JSONText.append(value, to: &json)
        case let value as Decimal:
            // All digits, a decimal point and no exponent, in every locale.
            guard !value.isNaN else { return false }
            json.append(contentsOf: value.description.utf8)
        default:
            guard let text = spelled(value) else { return false }
            JSONText.append(text, to: &json)
        }
        return true
    }

    /// The text of a value that JSON has no type for.
    private static func spelled(_ value: any Sendable) -> String? {
        var text: [UInt8] = []
        switch value {
        case let value as Date:
            guard DateText.append(value.timeIntervalSinceReferenceDate, to: &text) else { return nil }
        case let value as Data:
            let bytes = Array(value)
            bytes.withUnsafeBufferPointer { Base64Text.encode($0, into: &text) }
        case let value as UUID: UUIDText.append(value, to: &text)
        case let value as URL: return value.absoluteString
        default: return nil
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The keys of a dictionary, nil for an array, and the members.
    private static func open(_ value: any Sendable) -> (names: [String]?, members: [any Sendable])? {
        if let members = value as? [any Sendable] { return (nil, members) }
        if let entries = value as? [Int64: any Sendable], !entries.isEmpty {
            let sorted = entries.sorted { $0.key < $1.key }
            return (sorted.map { String($0.key) }, sorted.map(\.value))
        }
        if let entries = value as? ArchivedEntries {
            let sorted = zip(entries.names, entries.values).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            return (sorted.map(\.0), sorted.map(\.1))
        }
        guard let entries = value as? [String: any Sendable] else { return nil }
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return (sorted.map(\.key), sorted.map(\.value))
    }
}
