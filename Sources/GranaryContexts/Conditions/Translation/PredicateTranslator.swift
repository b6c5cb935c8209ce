import Foundation
import GranaryBase
import GranaryPredicates

/// Translates the expressions of Foundation's `#Predicate`.
struct PredicateTranslator {
    /// What the variables of enclosing closures stand for.
    private var variables: [PredicateExpressions.VariableID: TranslatedExpression]
    private var depth = 0
    /// The number of enclosing conditions on the objects of relationships.
    private var subqueries = 0

    /// - Parameter variable: the variable of the tested object.
    init(_ variable: PredicateExpressions.VariableID) { variables = [variable: .value(.evaluatedObject)] }

    /// - Throws: ``GranaryError`` with code `usage` for an expression without a translation.
    mutating func translate(_ expression: any PredicateExpression) throws(GranaryError) -> TranslatedExpression {
        guard let known = expression as? any TranslatableExpression else {
            let name = "\(type(of: expression))".prefix { $0 != "<" }
            throw Self.refused("PredicateExpressions.\(name)")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= ObjectPredicate.depthLimit else {
            throw GranaryError(
                .usage, "the predicate is nested deeper than the limit of \(ObjectPredicate.depthLimit)")
        }
        return try known.translated(&self)
    }

    func value(of variable: PredicateExpressions.VariableID) throws(GranaryError) -> TranslatedExpression {
        guard let value = variables[variable] else { throw Self.refused("a variable of another predicate") }
        return value
    }

    /// Translates the body of a closure.
    mutating func translate(
        _ body: any PredicateExpression, where variable: PredicateExpressions.VariableID,
        is value: TranslatedExpression
    ) throws(GranaryError) -> TranslatedExpression {
        variables[variable] = value
        defer { variables[variable] = nil }
        return try translate(body)
    }

    /// The objects of a collection that fulfil a condition.
    ///
    /// - Parameter isNegated: whether they are those that do not.
    mutating func subquery(
        _ collection: any PredicateExpression, _ condition: any PredicateExpression,
        _ variable: PredicateExpressions.VariableID, isNegated: Bool = false
    ) throws(GranaryError) -> ObjectExpression {
        let objects = try translate(collection).expression()
        subqueries += 1
        defer { subqueries -= 1 }
        let name = "x\(subqueries)"
        let test = try translate(condition, where: variable, is: .value(.variable(name))).predicate()
        return .subquery(objects, variable: name, isNegated ? !test : test)
    }

    static func refused(_ what: String) -> GranaryError {
        GranaryError(
            .usage,
            "\(what) of #Predicate has no translation; write this condition with ObjectPredicate(Book.self) { … } or as "
                + "text: ObjectPredicate(\"…\")")
    }
}
