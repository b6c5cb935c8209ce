import GranaryBase
import GranaryPredicates

/// What the author of a condition probably meant, for its messages.
enum PredicateHints {
    /// The hint for two sides that cannot be compared; empty if none applies.
    static func comparison(
        _ left: ObjectExpression, _ leftKind: ExpressionKind, _ right: ObjectExpression, _ rightKind: ExpressionKind
    ) -> String {
        switch (leftKind, rightKind) {
        case (.date, .text):
            guard case .constant(.string(let text)) = right else { return "" }
            return "; \(PredicateResolver.quoted(text)) is not an ISO date, write \"\(isoDate(text) ?? example)\""
        // 2026-01-31 without quotes is a subtraction.
        case (.date, .number): return "; quote dates: \"\(example)\""
        case (.object(let entity?), .text), (.object(let entity?), .number):
            guard case .keyPath(let path) = left, let name = naturalKey(of: entity, rightKind) else { return "" }
            return "; compare an attribute: \(path).\(name)"
        default: return ""
        }
    }

    /// The hint for a name that is no property and resembles none.
    static func unknownName(_ name: String) -> String { "; a text needs quotes: \"\(Diagnostic.shortened(name))\"" }

    private static let example = "2026-01-31"

    private static func naturalKey(of entity: Schema.Entity, _ kind: ExpressionKind) -> String? {
        let keys = entity.uniquenessConstraints.filter { $0.names.count == 1 }.flatMap(\.names)
        let fitting = entity.attributes.filter { ExpressionKind($0.type).isComparable(with: kind) }.map(\.name)
        return keys.first(where: fitting.contains) ?? fitting.first
    }

    /// `01.02.2020`, whose order of day and month is certain, as `2020-02-01`; nil for other texts.
    private static func isoDate(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[2].utf8.count == 4, parts.allSatisfy({ Int($0) != nil }),
            let day = Int(parts[0]), let month = Int(parts[1]), (1...31).contains(day), (1...12).contains(month)
        else { return nil }
        return "\(parts[2])-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }
}
