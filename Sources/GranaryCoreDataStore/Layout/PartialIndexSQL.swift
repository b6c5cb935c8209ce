import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The condition of a partial index, in the form of Core Data's statements.
///
/// 480 of 480 partial indexes of real stores have it: `=`, `<>`, `>`, `IS NULL` and `IS NOT NULL` with a column on the
/// left and an integer on the right, alone or in one list joined by AND or OR. The text of other predicates is not
/// known.
enum PartialIndexSQL {
    /// The condition, or the reason why there is none.
    enum Result: Equatable {
        case condition(String)
        /// A key path names no property: Core Data creates no such index.
        case noProperty
        /// The reason, as the end of a sentence.
        case unknown(String)
    }

    static func condition(
        _ predicate: ObjectPredicate, of entity: Schema.Entity, layout: StoreLayout
    ) -> Result {
        let parts: [ObjectPredicate]
        let word: String
        switch predicate {
        case .comparison: (parts, word) = ([predicate], "")
        case .and(let list): (parts, word) = (list, " AND ")
        case .or(let list): (parts, word) = (list, " OR ")
        case .not, .constant: return .unknown("it is neither a comparison nor a list of comparisons")
        }
        guard word.isEmpty || parts.count > 1 else { return .unknown("it is a list of fewer than two comparisons") }
        var texts: [String] = []
        for part in parts {
            guard case .comparison(let comparison) = part else {
                return .unknown("it nests lists of comparisons")
            }
            switch condition(comparison, of: entity, layout) {
            case .condition(let text): texts.append(text)
            case let other: return other
            }
        }
        let text = texts.joined(separator: word)
        return .condition(word.isEmpty ? text : "(\(text))")
    }

    private static func condition(
        _ comparison: ObjectPredicate.Comparison, of entity: Schema.Entity, _ layout: StoreLayout
    ) -> Result {
        guard case .keyPath(let path) = comparison.left, !path.contains("@") else {
            return .unknown("a left side is not a property")
        }
        let names = path.split(separator: ".")
        guard let first = names.first, entity.declares(String(first)) else { return .noProperty }
        guard names.count == 1, let column = layout.column(ofProperty: path, in: entity) else {
            return .unknown("\"\(path)\" has no column in the table")
        }
        guard comparison.options.isEmpty, comparison.modifier == .direct else {
            return .unknown("a comparison has options")
        }
        switch (comparison.operation, comparison.right) {
        case (.equal, .null): return .condition("\(column) IS NULL")
        case (.notEqual, .null): return .condition("\(column) IS NOT NULL")
        case (let operation, .constant(let value)):
            guard let sign = signs[operation] else { break }
            switch value {
            case .integer(let number): return .condition("\(column) \(sign) \(number)")
            case .boolean(let truth): return .condition("\(column) \(sign) \(truth ? 1 : 0)")
            default: return .unknown("a constant is not an integer")
            }
        default: break
        }
        return .unknown("a comparison uses \(comparison.operation.rawValue) with \(comparison.right)")
    }

    private static let signs: [ObjectPredicate.Operator: String] = [.equal: "=", .notEqual: "<>", .greater: ">"]
}

extension Schema.Entity {
    /// Whether the entity has a property of that name, also one without a column.
    fileprivate func declares(_ name: String) -> Bool {
        property(named: name) != nil || description.attribute(named: name) != nil
            || description.relationship(named: name) != nil
    }
}
