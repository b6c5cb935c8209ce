import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

extension SearchSQL {
    /// The SQL of a single value; nil for collections and for what SQL cannot compute as the evaluation in memory.
    func term(_ expression: ObjectExpression, _ scope: Scope) -> Term? {
        switch expression {
        case .evaluatedObject: return key(of: scope)
        case .null: return Term(sql: "NULL", kind: .null, isConstant: true)
        case .constant(let value): return constant(value)
        case .object(let reference): return object(reference)
        case .variable(let name): return variables[name].map { key(of: $0) }
        case .keyPath(let path): return term(path, from: scope)
        case .path(let path, of: .variable(let name)): return variables[name].flatMap { term(path, from: $0) }
        case .path("@count", of: .subquery(let collection, let variable, let condition)):
            return count(collection, variable, condition, scope)
        case .function(let name, let arguments): return function(name, arguments, scope)
        case .conditional(let condition, let first, let second):
            guard let condition = self.condition(condition, scope), let first = term(first, scope),
                let second = term(second, scope), first.kind == second.kind
            else { return nil }
            return Term(sql: "CASE WHEN \(condition) THEN \(first.sql) ELSE \(second.sql) END", kind: first.kind)
        case .method where expression.isConstant:
            return Self.value(expression, now).flatMap { constant($0) }
        case .path, .list, .method, .className, .subquery, .element, .combined: return nil
        }
    }

    /// The value of an expression that refers to no object.
    private static func value(_ expression: ObjectExpression, _ now: Date) -> AttributeValue? {
        (try? CompiledExpression(expression, now: now).value(on: NoSubject())).flatMap(\.attribute)
    }

    private func key(of scope: Scope) -> Term {
        Term(sql: "\(scope.alias).Z_PK", kind: .object(root: scope.entity.root), isColumn: true)
    }

    // MARK: - Constants

    private func constant(_ value: AttributeValue) -> Term? {
        func term(_ parameter: Parameter, _ kind: Term.Kind) -> Term {
            Term(sql: bind(parameter), kind: kind, isConstant: true)
        }
        switch value {
        case .integer(let value): return term(.integer(value), .number)
        case .boolean(let value): return term(.integer(value ? 1 : 0), .number)
        case .float(let value): return value.isNaN ? nil : term(.real(Double(value)), .number)
        case .double(let value): return value.isNaN ? nil : term(.real(value), .number)
        case .decimal(let value):
            // Columns store doubles; a constant with more digits is compared in memory.
            guard let exact = ExactDecimal(exactly: value) else { return nil }
            if let whole = exact.int64 { return term(.integer(whole), .real) }
            let stored = exact.storedDouble
            return stored.isExact ? term(.real(stored.value), .real) : nil
        case .string(let text): return term(.text(Array(text.utf8)), .text)
        case .uri(let url): return term(.text(Array(url.absoluteString.utf8)), .text)
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isNaN ? nil : term(.real(seconds), .date)
        case .uuid(let uuid): return term(.blob(withUnsafeBytes(of: uuid.uuid) { Array($0) }), .uuid)
        case .binary: return nil
        }
    }

    /// The key of an object; a key that no object has for an object of another store, and for a new object.
    private func object(_ reference: ObjectReference) -> Term? {
        guard let root = schema.entity(named: reference.root) else { return nil }
        guard case .stored(let key) = reference.key, reference.store == identifier else {
            return Term(sql: bind(.integer(-1)), kind: .object(root: root.root), isConstant: true)
        }
        return Term(sql: bind(.integer(key)), kind: .object(root: root.root), isConstant: true)
    }

    // MARK: - Functions

    private static let signs = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/"]
    private static let textFunctions = [
        "uppercase:": "NSCoreDataToUpper", "lowercase:": "NSCoreDataToLower", "canonical:": "NSCoreDataCanonical",
    ]

    private func function(_ name: String, _ arguments: [ObjectExpression], _ scope: Scope) -> Term? {
        let whole = ObjectExpression.function(name, arguments)
        if whole.isConstant {
            let value = Self.value(whole, now)
            return value.map { constant($0) } ?? Term(sql: "NULL", kind: .null, isConstant: true)
        }
        if let sqlName = Self.textFunctions[name], arguments.count == 1, let text = term(arguments[0], scope) {
            return text.kind == .text ? Term(sql: "\(sqlName)(\(text.sql))", kind: .text) : nil
        }
        guard let sign = Self.signs[name], arguments.count == 2, let left = term(arguments[0], scope),
            let right = term(arguments[1], scope), left.kind.isNumber, right.kind.isNumber
        else { return nil }
        // Without a decimal point SQLite would divide and overflow as integers what is not an integer in memory.
        let isReal = left.kind == .real || right.kind == .real
        let (first, second) = (Self.operand(left), Self.operand(right))
        return Term(sql: "(\(first) \(sign) \(second))", kind: isReal ? .real : .number)
    }

    private static func operand(_ term: Term) -> String { term.kind == .real ? "(\(term.sql) * 1.0)" : term.sql }
}

extension SearchSQL.Term.Kind {
    fileprivate var isNumber: Bool { self == .number || self == .real }
}

extension ObjectExpression {
    /// Whether the expression is a function of constants, which has the same value for every object.
    fileprivate var isConstant: Bool {
        parts.allSatisfy { part in
            switch part {
            case .expression(.constant), .expression(.null), .expression(.list), .expression(.method): true
            case .expression(.function(let name, _)): !name.hasPrefix("random")
            default: false
            }
        }
    }
}

/// The subject of expressions that refer to none.
private struct NoSubject: PredicateSubject {
    var predicateSelf: PredicateOperand? { nil }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? { nil }
}
