import GranaryBase

extension ObjectPredicate {
    /// Whether the evaluation in memory knows all parts: no free variables, no classes, no methods but
    /// `dateByAddingTimeInterval:`, no unknown functions, and not the option `[w]`.
    package var isEvaluable: Bool { PredicatePart.predicate(self).isEvaluable }
}

extension ObjectExpression {
    /// Whether the evaluation in memory knows all parts. (``ObjectPredicate/isEvaluable``)
    package var isEvaluable: Bool { PredicatePart.expression(self).isEvaluable }

    /// The depth of the tree; 1 for a leaf. Computed without recursion.
    var depth: Int {
        var result = 0
        var stack = [(PredicatePart.expression(self), 1)]
        while let (part, depth) = stack.popLast() {
            result = max(result, depth)
            stack.append(contentsOf: part.children.map { ($0, depth + 1) })
        }
        return result
    }
}

extension PredicatePart {
    fileprivate var isEvaluable: Bool {
        // A part, and the variables that the subqueries around it define.
        var stack: [(part: PredicatePart, variables: Set<String>)] = [(self, [])]
        while let (part, variables) = stack.popLast() {
            switch part {
            case .predicate(.comparison(let comparison)) where comparison.options.contains(.wordwise): return false
            case .expression(.variable(let name)) where !variables.contains(name): return false
            case .expression(.className): return false
            case .expression(.method(let name, _, _)) where name != "dateByAddingTimeInterval:": return false
            case .expression(.function(let name, _)) where PredicateFunction(selector: name) == nil: return false
            case .expression(.subquery(let collection, let variable, let condition)):
                stack.append((.expression(collection), variables))
                stack.append((.predicate(condition), variables.union([variable])))
            default: stack.append(contentsOf: part.children.map { ($0, variables) })
            }
        }
        return true
    }
}

extension PredicatePart {
    /// - Throws: ``GranaryError`` with code `usage` for a tree that is too deep.
    func checkDepth() throws(GranaryError) {
        let isTooDeep =
            switch self {
            case .predicate(let predicate): predicate.isTooDeep
            case .expression(let expression): expression.isTooDeep
            }
        guard isTooDeep else { return }
        throw GranaryError(.usage, "the predicate is nested deeper than the limit of \(ObjectPredicate.depthLimit)")
    }

    /// - Throws: ``GranaryError`` with code `usage` for a part that the evaluation in memory does not know.
    func checkIsEvaluable(_ text: @autoclosure () -> String) throws(GranaryError) {
        guard isEvaluable else {
            throw GranaryError(
                .usage,
                "\(Diagnostic.shortened(text())) cannot be evaluated: it has a variable without a value, an unknown "
                    + "function, a method, a class or the option [w]")
        }
        guard case .predicate(let predicate) = self else { return }
        for (source, ignoringCase) in predicate.matchExpressions {
            do {
                _ = try Pattern(source, ignoringCase: ignoringCase)
            } catch {
                throw GranaryError(.usage, "\(Diagnostic.shortened(source)) is not a regular expression: \(error)")
            }
        }
    }
}
