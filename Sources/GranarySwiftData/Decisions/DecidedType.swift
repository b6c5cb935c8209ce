package import GranaryModel

/// How the user decides a type: `--type NAME=…`.
package enum DecidedType: Sendable, Hashable {
    case attribute(AttributeType)
    /// Any Codable type, as an element of an array: the array is JSON in a Binary attribute.
    case codable
    case rawEnum(AttributeType)
    case structure([Field])
    /// Not stored.
    case absent

    package struct Field: Sendable, Hashable {
        let name: String
        let type: SourceType
    }

    /// What can be written after `=`.
    package static let forms =
        "Codable, none, an attribute type such as String or Binary, \"enum String\", or \"struct{latitude: Double, note: String?}\""

    /// The maximum length of a text in bytes, which bounds the nesting of its types.
    private static let limit = 10_000

    /// Nil for a text of no known form.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        let text = text.trimmed
        if text == "Codable" {
            self = .codable
        } else if text == "none" {
            self = .absent
        } else if text.hasPrefix("enum "), let type = Self.attributeType(String(text.dropFirst(5)).trimmed) {
            self = .rawEnum(type)
        } else if text.hasPrefix("struct"), let fields = Self.fields(text.dropFirst(6)) {
            self = .structure(fields)
        } else if let type = Self.attributeType(text) {
            self = .attribute(type)
        } else {
            return nil
        }
    }

    /// A type of Swift or of the model editor.
    private static func attributeType(_ name: String) -> AttributeType? {
        if let type = BuiltinTypes.attributeType(name) { return type }
        guard let type = AttributeType(name: name), type != .composite, type != .objectID, type != .undefined else {
            return nil
        }
        return type
    }

    private static func fields(_ text: Substring) -> [Field]? {
        let text = String(text).trimmed
        guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
        var fields: [Field] = []
        for part in text.dropFirst().dropLast().split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard pair.count == 2, !pair[0].isEmpty, let type = type(pair[1]) else { return nil }
            fields.append(Field(name: pair[0], type: type))
        }
        return fields.isEmpty ? nil : fields
    }

    /// A name, an array of a name, or an optional of these.
    private static func type(_ text: String) -> SourceType? {
        if text.hasSuffix("?") { return type(String(text.dropLast())).map { .optional($0) } }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return type(String(text.dropFirst().dropLast()).trimmed).map { .array($0) }
        }
        let isName = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte >= 0x80 || (48...57).contains(byte)
                || (65...90).contains(byte & 0xDF)
        }
        return isName && !text.isEmpty ? .named(text, []) : nil
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
