package import Foundation
import GranaryBase

/// A predicate that is prepared for the evaluation on many objects.
///
/// Key paths are split, constant regular expressions and patterns compiled, and constant texts folded once. `now` is
/// the same moment in the whole predicate.
///
/// An evaluation is two-valued. The translation to SQL gives the same results:
///
/// - `==`, `!=`: NULL equals only NULL. Numbers and Booleans compare by value, text and URIs by their UTF-8 bytes,
///   objects by their IDs. Lists are equal if their elements are, in order. Values of different
///   kinds are not equal. `!=` is the negation.
/// - `<`, `<=`, `>`, `>=`: false if a side is NULL or the kinds have no common order. Text, UUIDs and binary data are
///   in the order of their bytes.
/// - `BETWEEN`: `lower <= x AND x <= upper` for a list of exactly two bounds; otherwise false.
/// - `IN`: true if an element of the list equals the left side; NULL in a literal list is left out. If both sides are
///   text, the right contains the left.
/// - `CONTAINS`: true if an element of the list on the left equals the right side. If both sides are text, the left
///   contains the right.
/// - `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`: false if a side is not text or a URI. Every text begins with, ends
///   with and contains the empty text.
/// - `ANY`, `ALL`: the comparison is true for an element, or for every element. NULL is an empty collection, a single
///   value is one element, and a NULL element is compared as NULL.
///
/// Options: `[c]` and `[d]` fold both texts by Foundation without a locale and compare the UTF-8 bytes of the folded
/// texts. `[n]` compares bytes, whatever the other options. `[l]` compares equality and order with the rules of the
/// current locale, and does not affect searches in text.
///
/// An operand without a value is NULL: an unknown property, function or collection operator, a variable without a
/// value, a division by zero, a result that is not a number.
package struct CompiledPredicate: Sendable {
    private let root: PreparedPredicate

    /// Prepares a predicate. A predicate that is too deep is false.
    ///
    /// - Parameter now: the value of the function `now`.
    package init(_ predicate: ObjectPredicate, now: Date = Date()) {
        guard !predicate.isTooDeep else {
            root = .constant(false)
            return
        }
        var compiler = PredicateCompiler(now: now)
        root = compiler.prepared(predicate)
    }

    /// Evaluates the predicate on an object.
    package func outcome(on subject: some PredicateSubject) -> PredicateOutcome {
        var run = PredicateRun()
        let holds = root.holds(on: subject, &run)
        if let stop = run.stop { return .stopped(stop) }
        return holds ? .holds : .fails
    }

    /// Whether the predicate is true for an object. An evaluation that gives up is false.
    package func evaluate(on subject: some PredicateSubject) -> Bool {
        var run = PredicateRun()
        return root.holds(on: subject, &run)
    }

    /// Evaluates the predicate on an attribute's value; `SELF` is the value, nil for NULL.
    package func outcome(with value: AttributeValue?) -> PredicateOutcome {
        outcome(on: ValueSubject(value: value))
    }
}

extension ObjectPredicate {
    /// Whether the predicate is true for an attribute's value; `SELF` is the value, nil for NULL.
    ///
    /// For several values, prepare a ``CompiledPredicate``.
    package func evaluate(with value: AttributeValue?) -> Bool {
        CompiledPredicate(self).evaluate(on: ValueSubject(value: value))
    }

    /// Whether the predicate is true for an object.
    package func evaluate(on subject: some PredicateSubject) -> Bool {
        CompiledPredicate(self).evaluate(on: subject)
    }

    /// The regular expressions on the right of `MATCHES`, as they are compiled.
    package var matchExpressions: [(source: String, ignoringCase: Bool)] {
        parts.compactMap { part in
            guard case .predicate(.comparison(let comparison)) = part, comparison.operation == .matches,
                case .constant(let value) = comparison.right, let source = value.comparedText
            else { return nil }
            let rule = TextRule(comparison.options)
            return (source: rule.withoutMarks(source), ignoringCase: rule.ignoresCase)
        }
    }
}
