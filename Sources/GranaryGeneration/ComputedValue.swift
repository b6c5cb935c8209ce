import GranaryBase
import GranaryModel
package import GranaryPredicates

/// A generator whose values are computed from other attributes of the same object.
package enum ComputedValue: Sendable, Hashable {
    /// The value of an expression of the predicate language.
    case formula(ObjectExpression)
    /// A date at a distance from another date, in seconds.
    case after(String, ClosedRange<Int64>)
    /// The value of a function of the user's.
    case custom(CustomGenerator)

    /// The names of the attributes that the value needs, each once.
    var sources: [String] {
        switch self {
        case .after(let name, _): return [name]
        case .custom(let generator): return generator.sources
        case .formula(let expression):
            var seen: Set<String> = []
            return expression.parts.compactMap { part in
                guard case .expression(.keyPath(let path)) = part, seen.insert(path).inserted else { return nil }
                return path
            }
        }
    }

    /// Why the expression cannot be computed from the attributes of one object; nil if it can.
    private var unsupported: String? {
        guard case .formula(let expression) = self else { return nil }
        for case .expression(let part) in expression.parts {
            switch part {
            case .evaluatedObject, .object, .variable, .path, .subquery, .method, .element, .combined:
                return "a formula has attributes of the same object, constants and functions only, not \"\(part)\""
            case .function(let name, _) where ["now", "random", "random:", "randomn:"].contains(name):
                return "a formula without \(name) gives the same values each time; \(name) does not"
            default: break
            }
        }
        return nil
    }

    /// The attributes that the value needs, or the reason why it cannot be computed.
    func leaders(of attribute: Schema.Attribute, _ entity: Schema.Entity) -> Result<[Schema.Attribute], Problem> {
        if let unsupported { return .failure(Problem(message: unsupported)) }
        if case .after = self, attribute.type != .date {
            return .failure(Problem(message: "\"after\" makes dates, and the type is \(attribute.type.name)"))
        }
        var leaders: [Schema.Attribute] = []
        for name in sources {
            let first = name.split(separator: ".").first.map(String.init) ?? name
            guard let leader = entity.attribute(named: name), leader.isGenerated else {
                if entity.relationship(named: first) != nil {
                    return .failure(
                        Problem(message: "\(name) leads over a relationship; name attributes of the same object"))
                }
                return .failure(
                    Problem(
                        message: "\(entity.name) has no generated attribute \"\(Diagnostic.shortened(name))\""
                            + NearestText.hint(for: name, in: entity.attributes.map(\.name))))
            }
            if case .after = self, leader.type != .date {
                return .failure(Problem(message: "\(name) is no date"))
            }
            leaders.append(leader)
        }
        return .success(leaders)
    }

    struct Problem: Error {
        let message: String
    }
}
