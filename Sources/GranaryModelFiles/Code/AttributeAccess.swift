import GranaryModel
import GranaryPredicates

/// How a property reads and sets an attribute.
enum AttributeAccess: Equatable {
    /// A value type of attributes.
    case value(String, isOptional: Bool)
    /// A date as a scalar: the seconds since 2001.
    case seconds
    /// A Transformable attribute whose value class is a type of Swift.
    case transformed(TransformedType)
    /// Any other Transformable attribute.
    case anyTransformed
    /// An attribute without a type.
    case untyped

    init(_ attribute: AttributeDescription) {
        // Without a scalar type the accessor of an optional number is an object in Core Data, and can be nil.
        let isScalar = attribute.usesScalarValueType == true
        switch attribute.type {
        case .integer16: self = .value("Int16", isOptional: attribute.isOptional && !isScalar)
        case .integer32: self = .value("Int32", isOptional: attribute.isOptional && !isScalar)
        case .integer64: self = .value("Int64", isOptional: attribute.isOptional && !isScalar)
        case .double: self = .value("Double", isOptional: attribute.isOptional && !isScalar)
        case .float: self = .value("Float", isOptional: attribute.isOptional && !isScalar)
        case .boolean: self = .value("Bool", isOptional: attribute.isOptional && !isScalar)
        case .date where isScalar: self = .seconds
        case .date: self = .value("Date", isOptional: attribute.isOptional)
        case .decimal: self = .value("Decimal", isOptional: attribute.isOptional)
        case .string: self = .value("String", isOptional: attribute.isOptional)
        case .binary: self = .value("Data", isOptional: attribute.isOptional)
        case .uuid: self = .value("UUID", isOptional: attribute.isOptional)
        case .uri: self = .value("URL", isOptional: attribute.isOptional)
        case .transformable:
            self = attribute.valueClassName.flatMap { TransformedType($0) }.map { .transformed($0) } ?? .anyTransformed
        case .undefined, .objectID, .composite: self = .untyped
        }
    }
}

extension AttributeAccess {
    /// The attribute's own type, with nil for NULL.
    func optionalType(_ names: inout TypeNames) -> String {
        switch self {
        case .value(let value, _): names(value) + "?"
        case .seconds: names("Date") + "?"
        case .transformed(let value): value.text(&names) + "?"
        case .anyTransformed: "(any \(names("Sendable")))?"
        case .untyped: names("AttributeValue") + "?"
        }
    }
}

/// The value class of a Transformable attribute, if it is a type of property lists: `[Int64]`, `Set<String>`.
indirect enum TransformedType: Equatable {
    case name(String)
    case array(TransformedType)
    case set(TransformedType)
    case dictionary(key: String, TransformedType)

    /// How deep types may be nested.
    private static let depthLimit = 4
    private static let names = [
        "Bool": "Bool", "Data": "Data", "Date": "Date", "Double": "Double", "Float": "Float", "Int": "Int",
        "Int16": "Int16", "Int32": "Int32", "Int64": "Int64", "NSData": "Data", "NSDate": "Date", "NSString": "String",
        "String": "String",
    ]

    init?(_ text: String) { self.init(text, depth: Self.depthLimit) }

    private init?(_ text: String, depth: Int) {
        guard depth > 0 else { return nil }
        let text = text.filter { $0 != " " }
        if let name = Self.names[text] {
            self = .name(name)
            return
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            guard let colon = inner.firstIndex(of: ":") else {
                guard let element = Self(String(inner), depth: depth - 1) else { return nil }
                self = .array(element)
                return
            }
            guard ["String", "Int", "Int64"].contains(String(inner[..<colon])),
                let value = Self(String(inner[inner.index(after: colon)...]), depth: depth - 1)
            else { return nil }
            self = .dictionary(key: String(inner[..<colon]), value)
        } else if text.hasPrefix("Set<"), text.hasSuffix(">"),
            let name = Self.names[String(text.dropFirst(4).dropLast())]
        {
            self = .set(.name(name))
        } else {
            return nil
        }
    }

    func text(_ names: inout TypeNames) -> String {
        switch self {
        case .name(let name): return names(name)
        case .array(let element): return "[\(element.text(&names))]"
        case .set(let element): return "\(names("Set"))<\(element.text(&names))>"
        case .dictionary(let key, let value):
            let keyName = names(key)
            return "[\(keyName): \(value.text(&names))]"
        }
    }
}
