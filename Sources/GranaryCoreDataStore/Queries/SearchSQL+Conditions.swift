import GranaryModel
import GranaryPredicates

extension SearchSQL {
    /// The part of a condition that SQL can test, and the rest; the two are joined by AND.
    func split(
        _ predicate: ObjectPredicate, _ scope: Scope
    ) -> (condition: String?, rest: ObjectPredicate?) {
        let parts = if case .and(let parts) = predicate { parts } else { [predicate] }
        var conditions: [String] = []
        var rest: [ObjectPredicate] = []
        for part in parts {
            if let condition = attempt({ condition(part, scope) }) {
                conditions.append(condition)
            } else {
                rest.append(part)
            }
        }
        let length = conditions.reduce(0) { $0 + $1.utf8.count }
        if length > Self.lengthLimit {
            removeParameters()
            return (nil, predicate)
        }
        return (
            conditions.isEmpty ? nil : Self.joined(conditions[...], "AND"),
            rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
        )
    }

    /// A condition that is true exactly where the predicate is; it may be NULL instead of false.
    func condition(_ predicate: ObjectPredicate, _ scope: Scope) -> String? {
        switch predicate {
        case .constant(let truth): return truth ? "1" : "0"
        case .and(let parts): return conditions(parts, scope).map { Self.joined($0[...], "AND") }
        case .or(let parts): return conditions(parts, scope).map { Self.joined($0[...], "OR") }
        case .not(let part): return condition(part, scope).map { "(\($0)) IS NOT TRUE" }
        case .comparison(let comparison): return condition(comparison, scope)
        }
    }

    private func conditions(_ parts: [ObjectPredicate], _ scope: Scope) -> [String]? {
        var result: [String] = []
        for part in parts {
            guard let condition = condition(part, scope) else { return nil }
            result.append(condition)
        }
        return result
    }

    private func condition(_ comparison: ObjectPredicate.Comparison, _ scope: Scope) -> String? {
        guard comparisons < Self.comparisonLimit else { return nil }
        comparisons += 1
        switch comparison.modifier {
        case .direct: return direct(comparison, scope)
        case .any, .all:
            guard let elements = elements(of: comparison.left, scope) else { return nil }
            guard
                let test = self.comparison(
                    elements.term, comparison.operation, comparison.right, scope, comparison.options)
            else { return nil }
            return comparison.modifier == .any
                ? "EXISTS (SELECT 1 \(elements.source(and: test)))"
                : "NOT EXISTS (SELECT 1 \(elements.source(and: "(\(test)) IS NOT TRUE")))"
        }
    }

    func direct(_ comparison: ObjectPredicate.Comparison, _ scope: Scope) -> String? {
        if let lookup = attempt({ lookup(comparison, scope) }) { return lookup }
        if let left = term(comparison.left, scope) {
            return self.comparison(left, comparison.operation, comparison.right, scope, comparison.options)
        }
        // A collection on the left: CONTAINS asks for an equal element.
        guard comparison.operation == .contains, let elements = elements(of: comparison.left, scope),
            let test = self.comparison(elements.term, .equal, comparison.right, scope, comparison.options)
        else { return nil }
        return "EXISTS (SELECT 1 \(elements.source(and: test)))"
    }

    private func comparison(
        _ left: Term, _ operation: ObjectPredicate.Operator, _ right: ObjectExpression, _ scope: Scope,
        _ options: ObjectPredicate.Options
    ) -> String? {
        // Without options, and with [n], text compares by its bytes.
        let isPlain = options.isEmpty || options.contains(.normalized)
        if left.kind == .text, !isPlain || operation.isTextTest { return textTest(left, operation, right, options) }
        switch operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let right = term(right, scope) else { return nil }
            return Self.comparison(left, operation, right)
        case .isIn: return membership(left, right, scope)
        case .between:
            guard case .list(let bounds) = right, bounds.count == 2, let lower = term(bounds[0], scope),
                let upper = term(bounds[1], scope), let above = Self.comparison(left, .greaterOrEqual, lower),
                let below = Self.comparison(left, .lessOrEqual, upper)
            else { return nil }
            if left.isColumn || left.isConstant { return "(\(above) AND \(below))" }
            let isPlain = lower.kind != .null && upper.kind != .null
            return isPlain ? "\(left.sql) BETWEEN \(lower.sql) AND \(upper.sql)" : "0"
        case .beginsWith:
            guard left.kind == .text else { return nil }
            guard left.isColumn, case .constant(.string(let prefix)) = right else {
                return textTest(left, operation, right, options)
            }
            return self.prefix(Array(prefix.utf8), of: left)
        case .contains:
            guard left.kind == .text, let right = term(right, scope), right.kind == .text else { return nil }
            return "instr(\(left.sql), \(right.sql)) > 0"
        case .matches, .like, .endsWith: return nil
        }
    }

    /// A comparison of two values of one kind.
    private static func comparison(_ left: Term, _ operation: ObjectPredicate.Operator, _ right: Term) -> String? {
        if left.kind == .null || right.kind == .null {
            let other = left.kind == .null ? right : left
            switch operation {
            case .equal: return other.kind == .null ? "1" : "\(other.sql) IS NULL"
            case .notEqual: return other.kind == .null ? "0" : "\(other.sql) IS NOT NULL"
            default: return "0"
            }
        }
        guard left.kind.isComparable(with: right.kind) else { return nil }
        switch operation {
        // `=` is NULL for NULL, which counts as false; `IS` is needed where both sides can be NULL.
        case .equal: return "\(left.sql) \(right.isConstant || left.isConstant ? "=" : "IS") \(right.sql)"
        case .notEqual: return "\(left.sql) IS NOT \(right.sql)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if case .object = left.kind { return nil }
            return "\(left.sql) \(operation.rawValue) \(right.sql)"
        default: return nil
        }
    }

    private func membership(_ left: Term, _ right: ObjectExpression, _ scope: Scope) -> String? {
        guard case .list(let elements) = right else {
            if let text = term(right, scope) {
                return left.kind == .text && text.kind == .text ? "instr(\(text.sql), \(left.sql)) > 0" : nil
            }
            guard let elements = self.elements(of: right, scope),
                let test = Self.comparison(elements.term, .equal, left)
            else { return nil }
            return "EXISTS (SELECT 1 \(elements.source(and: test)))"
        }
        var names: [String] = []
        for element in elements where element != .null {
            guard let term = term(element, scope), term.isConstant, term.kind.isComparable(with: left.kind) else {
                return nil
            }
            names.append(term.sql)
        }
        return names.isEmpty ? "0" : "\(left.sql) IN (\(names.joined(separator: ", ")))"
    }

    /// A test of text that the evaluation in memory runs for each row; nil if the right side is no constant.
    private func textTest(
        _ left: Term, _ operation: ObjectPredicate.Operator, _ right: ObjectExpression,
        _ options: ObjectPredicate.Options
    ) -> String? {
        let constants = if case .list(let elements) = right { elements } else { [right] }
        if right == .null {
            return Self.comparison(left, operation, Term(sql: "NULL", kind: .null, isConstant: true))
        }
        let isConstant = constants.allSatisfy { element in
            switch element {
            case .constant, .null: true
            default: false
            }
        }
        guard isConstant else { return nil }
        // The function is false for NULL, and NULL differs from every constant.
        if operation == .notEqual {
            return textTest(left, .equal, right, options).map { "(\($0)) IS NOT TRUE" }
        }
        let test = ObjectPredicate.compare(.evaluatedObject, operation, right, options: options)
        return "GRANARY_TEST(\(bind(.test(test))), \(left.sql))"
    }

    /// Whether a text column begins with some bytes, as a range, for which SQLite can use an index.
    private func prefix(_ bytes: [UInt8], of column: Term) -> String {
        guard !bytes.isEmpty else { return "\(column.sql) IS NOT NULL" }
        let lower = "\(column.sql) >= \(bind(.text(bytes)))"
        var end = bytes
        while end.last == 0xFF { end.removeLast() }
        guard let last = end.popLast() else { return lower }
        end.append(last + 1)
        return "(\(lower) AND \(column.sql) < \(bind(.text(end))))"
    }
}

extension SearchSQL.Term.Kind {
    func isComparable(with other: Self) -> Bool {
        switch (self, other) {
        case (.number, .number), (.number, .real), (.real, .number), (.real, .real), (.text, .text), (.date, .date),
            (.uuid, .uuid):
            true
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension ObjectPredicate.Operator {
    /// Whether SQL has no operator that gives the same results.
    fileprivate var isTextTest: Bool { self == .matches || self == .like || self == .endsWith }
}
