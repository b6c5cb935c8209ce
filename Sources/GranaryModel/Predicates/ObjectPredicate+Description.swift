import Foundation

/// The predicate in its format language, as `NSPredicate.predicateFormat` prints it.
extension ObjectPredicate: CustomStringConvertible {
    public var description: String {
        switch self {
        case .constant(true): "TRUEPREDICATE"
        case .constant(false): "FALSEPREDICATE"
        case .comparison(let left, let operation, let right, let options):
            "\(left) \(operation.rawValue)\(options.suffix) \(right)"
        case .between(let value, let lower, let upper): "\(value) BETWEEN {\(lower), \(upper)}"
        case .and(let parts): parts.isEmpty ? "TRUEPREDICATE" : parts.map(\.grouped).joined(separator: " AND ")
        case .or(let parts): parts.isEmpty ? "FALSEPREDICATE" : parts.map(\.grouped).joined(separator: " OR ")
        case .not(let part): "NOT \(part.grouped)"
        }
    }

    private var grouped: String {
        switch self {
        case .and, .or: "(\(self))"
        default: description
        }
    }
}

extension ObjectPredicate.Options {
    fileprivate var suffix: String {
        let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

extension ObjectExpression: CustomStringConvertible {
    public var description: String {
        switch self {
        case .evaluatedObject: "SELF"
        case .null: "nil"
        case .keyPath(let path): path
        case .list(let elements): "{" + elements.map(\.description).joined(separator: ", ") + "}"
        case .constant(let value): value.predicateText
        }
    }
}

extension AttributeValue {
    fileprivate var predicateText: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "YES" : "NO"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .binary(let value): "<\(value.count) bytes>"
        case .uuid(let value): value.uuidString
        case .uri(let value): Self.quoted(value.absoluteString)
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
