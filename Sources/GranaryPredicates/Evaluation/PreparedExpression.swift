import Foundation
import GranaryBase

/// A prepared expression. The depth of the tree is limited, so evaluation may recurse.
indirect enum PreparedExpression: Sendable {
    case null
    case value(AttributeValue)
    case reference(ObjectReference)
    /// `SELF`.
    case itself
    /// A variable of an enclosing subquery, by its place in ``PredicateRun/bindings``.
    case variable(Int)
    /// A key path of one property, which most are.
    case property(String)
    /// A key path from the tested object.
    case path([PathStep])
    /// A key path from another value.
    case pathOf([PathStep], PreparedExpression)
    case list([PreparedExpression])
    case function(PredicateFunction, [PreparedExpression])
    case cast(PreparedExpression, CastTarget)
    /// `dateByAddingTimeInterval:`.
    case laterDate(PreparedExpression, PreparedExpression)
    case subquery(PreparedExpression, PreparedPredicate)
    case conditional(PreparedPredicate, PreparedExpression, PreparedExpression)
    case element(of: PreparedExpression, at: PreparedExpression)
    case first(of: PreparedExpression)
    case last(of: PreparedExpression)
    case size(of: PreparedExpression)
    case combined(PreparedExpression, ObjectExpression.SetOperation, PreparedExpression)

    func value<Subject: PredicateSubject>(on subject: Subject, _ run: inout PredicateRun) -> PredicateOperand? {
        switch self {
        case .null: return nil
        case .value(let value): return .value(value)
        case .reference(let reference): return .reference(reference)
        case .itself: return subject.predicateSelf
        case .variable(let index): return run.bindings.indices.contains(index) ? run.bindings[index] : nil
        case .property(let key): return subject.predicateValue(forKey: key)
        case .path(let steps): return Self.value(of: steps, on: subject, &run)
        case .pathOf(let steps, let operand):
            var current = operand.value(on: subject, &run)
            for step in steps { current = step.value(of: current, &run) }
            return current
        case .list(let elements): return .list(Self.values(of: elements, on: subject, &run))
        case .function(let function, let arguments):
            return function.value(Self.values(of: arguments, on: subject, &run))
        case .cast(let operand, let target):
            guard case .value(let value)? = operand.value(on: subject, &run) else { return nil }
            return target.value(of: value).map(PredicateOperand.value)
        case .laterDate(let date, let seconds):
            guard case .value(.date(let date))? = date.value(on: subject, &run) else { return nil }
            return PredicateFunction.add.value([.value(.date(date)), seconds.value(on: subject, &run)])
        case .subquery(let collection, let condition):
            var result: [PredicateOperand?] = []
            for element in collection.value(on: subject, &run).elements {
                guard run.goesOn(result.count) else { return nil }
                run.bindings.append(element)
                if condition.holds(on: subject, &run) { result.append(element) }
                run.bindings.removeLast()
            }
            return .list(result)
        case .conditional(let condition, let first, let second):
            let isTrue = condition.holds(on: subject, &run)
            return isTrue ? first.value(on: subject, &run) : second.value(on: subject, &run)
        case .element(let collection, let index):
            let elements = collection.value(on: subject, &run).elements
            return Self.element(in: elements, at: index.value(on: subject, &run))
        case .first(let collection): return collection.value(on: subject, &run).elements.first ?? nil
        case .last(let collection): return collection.value(on: subject, &run).elements.last ?? nil
        case .size(let collection):
            return .value(.integer(Int64(collection.value(on: subject, &run).elements.count)))
        case .combined(let left, let operation, let right):
            let first = left.value(on: subject, &run).elements
            return .list(DistinctOperands.combined(first, operation, right.value(on: subject, &run).elements))
        }
    }

    private static func values<Subject: PredicateSubject>(
        of expressions: [PreparedExpression], on subject: Subject, _ run: inout PredicateRun
    ) -> [PredicateOperand?] {
        var result: [PredicateOperand?] = []
        result.reserveCapacity(expressions.count)
        for expression in expressions { result.append(expression.value(on: subject, &run)) }
        return result
    }

    private static func value<Subject: PredicateSubject>(
        of steps: [PathStep], on subject: Subject, _ run: inout PredicateRun
    ) -> PredicateOperand? {
        var rest = steps[...]
        guard let first = rest.popFirst() else { return nil }
        // The subject is read directly: as a `PredicateOperand` it would be allocated.
        var current: PredicateOperand? =
            if case .key(let key) = first {
                subject.predicateValue(forKey: key)
            } else {
                first.value(of: subject.predicateSelf, &run)
            }
        for step in rest { current = step.value(of: current, &run) }
        return current
    }

    /// The element at a place from 0; NULL outside the list, or if the place is not a whole number.
    static func element(in elements: [PredicateOperand?], at index: PredicateOperand?) -> PredicateOperand? {
        guard let index = index?.wholeNumber, let place = Int(exactly: index), elements.indices.contains(place) else {
            return nil
        }
        return elements[place]
    }
}

extension PredicateOperand {
    /// The number as an integer; nil if it is not a number or has a fraction.
    var wholeNumber: Int64? {
        guard case .value(let value) = self, let number = ComparedNumber(value) else { return nil }
        return switch number {
        case .integer(let value): value
        case .decimal(let value): value.int64
        case .real(let value): Int64(exactly: value)
        }
    }
}
