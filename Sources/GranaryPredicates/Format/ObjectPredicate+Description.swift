/// The predicate in its format language, as `NSPredicate.predicateFormat` prints it: only a compound within a compound
/// is in parentheses.
///
/// The text is read again as an equal predicate, except that a Boolean becomes 1 or 0, a `Float` becomes a double, a
/// decimal that a plain number equals becomes that number, a whole double that is a side of a comparison becomes an
/// integer, a managed object becomes the text of its URI, a class becomes a key path, a compound of
/// one part becomes the part, and an empty one a constant.
extension ObjectPredicate: CustomStringConvertible {
    public var description: String {
        switch self {
        case .constant(let truth): truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.text
        case .not(let part): "NOT \(part.grouped)"
        case .and(let parts): Self.joined(parts, " AND ", empty: "TRUEPREDICATE")
        case .or(let parts): Self.joined(parts, " OR ", empty: "FALSEPREDICATE")
        }
    }

    private static func joined(_ parts: [ObjectPredicate], _ word: String, empty: String) -> String {
        guard let first = parts.first else { return empty }
        return parts.count == 1 ? first.description : parts.map(\.grouped).joined(separator: word)
    }

    private var grouped: String {
        switch self {
        case .and(let parts), .or(let parts):
            // A compound of one part is printed as the part, which has no parentheses either.
            if parts.count == 1, let part = parts.first { return part.grouped }
            return parts.isEmpty ? description : "(\(self))"
        case .not: return "(\(self))"
        case .constant, .comparison: return description
        }
    }
}

extension ObjectPredicate.Comparison {
    fileprivate var text: String {
        let word =
            switch modifier {
            case .direct: ""
            case .all: "ALL "
            case .any: "ANY "
            }
        return "\(word)\(Self.side(left)) \(operation.rawValue)\(options.suffix) \(Self.side(right))"
    }

    /// A side of a comparison. A whole double is printed without a fraction, as `NSNumber` prints it. Within arithmetic
    /// it keeps the fraction, because a quotient of two integers would be an integer.
    private static func side(_ expression: ObjectExpression) -> String {
        guard case .constant(.double(let value)) = expression, let whole = Int64(exactly: value),
            whole.magnitude < 1 << 53
        else { return expression.sideText }
        return String(whole)
    }
}

extension ObjectPredicate.Options {
    /// In the order in which Foundation prints them.
    static let letters: [(letter: Character, option: Self)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("l", .localeSensitive), ("n", .normalized),
        ("w", .wordwise),
    ]

    fileprivate var suffix: String {
        let letters = String(Self.letters.filter { contains($0.option) }.map { $0.letter })
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
