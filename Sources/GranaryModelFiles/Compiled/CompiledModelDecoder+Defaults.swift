import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension CompiledModelDecoder {
    /// Reads the default value. An object of an app's class cannot be created: its class is noted, with a diagnostic.
    mutating func readDefault(
        of object: CompiledObject, into attribute: inout AttributeDescription
    ) throws(GranaryError) {
        guard let item = object.fields["NSDefaultValue"] else { return }
        let found = try contents(item)
        if case .null = found { return }
        // SwiftData's default of a Codable structure, which says nothing about its elements.
        if attribute.type == .composite, case .dictionary(let members) = found, members.isEmpty { return }
        if let value = AttributeValue(archived: found, as: attribute.type) {
            attribute.defaultValue = value
            return
        }
        // SwiftData's default of an array. An object of an app's class is not taken apart.
        if attribute.type == .transformable, case .array = found {
            attribute.defaultValue = .binary(Data(KeyedArchiveWriter.write(try archive.tree(item))))
            return
        }
        let className = try archive.className(of: item)
        let text = Self.plainText(found) ?? className ?? "data"
        attribute.notes["NSDefaultValue"] = text
        if case .object = found {
            note("the default is an object of the class \(quoted(text)); the class is noted, and there is no default")
        } else {
            warn("the default \(quoted(text)) is not \(attribute.type.phrase); it is noted, and there is no default")
        }
    }
}

extension AttributeValue {
    /// Converts the archived default of an attribute of that type; nil if the type cannot hold it.
    ///
    /// Numbers may be archived as any kind of number: a Boolean as 0 or 1, a Double as an integer.
    fileprivate init?(archived value: KeyedArchive.Value, as type: AttributeType) {
        let result: AttributeValue? =
            switch type {
            case .integer16, .integer32, .integer64: Self.whole(value).map(AttributeValue.integer)
            case .boolean: Self.whole(value).flatMap { $0 == 0 || $0 == 1 ? AttributeValue.boolean($0 == 1) : nil }
            case .double: Self.number(value).map(AttributeValue.double)
            case .float: Self.number(value).map { .float(Float($0)) }
            case .decimal: Self.decimal(value).map { .decimal($0.foundationDecimal) }
            case .string, .date, .binary, .transformable, .uuid, .uri, .undefined: Self.other(value, type)
            case .objectID, .composite: nil
            }
        guard let result else { return nil }
        self = result
    }

    private static func whole(_ value: KeyedArchive.Value) -> Int64? {
        switch value {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        case .real(let value): Int64(exactly: value)
        case .decimal(let value): value.int64
        default: nil
        }
    }

    private static func number(_ value: KeyedArchive.Value) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .boolean(let value): value ? 1 : 0
        case .real(let value): value
        case .decimal(let value): value.nearestDouble
        default: nil
        }
    }

    private static func decimal(_ value: KeyedArchive.Value) -> ExactDecimal? {
        switch value {
        case .decimal(let value): value
        case .real(let value): ExactDecimal(shortest: value)
        default: whole(value).map { ExactDecimal($0) }
        }
    }

    private static func other(_ value: KeyedArchive.Value, _ type: AttributeType) -> AttributeValue? {
        guard let plain = AttributeValue(archived: value) else { return nil }
        switch (type, plain) {
        case (.undefined, _), (.string, .string), (.date, .date), (.binary, .binary), (.transformable, .binary),
            (.uuid, .uuid), (.uri, .uri):
            return plain
        case (.uuid, .string(let text)): return UUID(uuidString: text).map(AttributeValue.uuid)
        case (.uri, .string(let text)):
            return URL(string: text, encodingInvalidCharacters: false).map(AttributeValue.uri)
        default: return nil
        }
    }
}
