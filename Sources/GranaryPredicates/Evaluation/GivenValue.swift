import Foundation
import GranaryBase

/// A value that an app gives to ``ObjectPredicate/evaluate(with:substitutionVariables:)``, as an operand.
struct GivenValue {
    /// The maximum nesting of dictionaries and lists.
    private static let depthLimit = ObjectPredicate.depthLimit

    let operand: PredicateOperand?
    private let problems = Problems()

    /// - Throws: ``GranaryError`` with code `usage` for a value of another type than those that predicates know.
    init(_ value: Any?) throws(GranaryError) { operand = try Self.operand(value, depth: 0, problems) }

    /// The subject of an evaluation.
    var subject: some PredicateSubject { Subject(operand: operand, problems: problems) }

    /// Throws the first error of the evaluation.
    func check() throws {
        for check in problems.checks { try check() }
        if let stop = problems.stop { throw stop.error }
    }

    /// What went wrong while values were read. Subjects cannot throw.
    private final class Problems {
        var checks: [() throws -> Void] = []
        var stop: PredicateStop?
    }

    private struct Subject: PredicateSubject {
        let operand: PredicateOperand?
        let problems: Problems

        var predicateSelf: PredicateOperand? { operand }
        var predicateReference: ObjectReference? { operand?.objectReference }

        func predicateValue(forKey key: String) -> PredicateOperand? {
            var run = PredicateRun()
            let value = PathStep.key(key).value(of: operand, &run)
            if let stop = run.stop { problems.stop = problems.stop ?? stop }
            return value
        }
    }

    private struct DictionarySubject: PredicateSubject {
        let values: [String: PredicateOperand]

        var predicateSelf: PredicateOperand? { .subject(self) }
        var predicateReference: ObjectReference? { nil }

        func predicateValue(forKey key: String) -> PredicateOperand? { values[key] }
    }

    private static func operand(
        _ given: Any?, depth: Int, _ problems: Problems
    ) throws(GranaryError) -> PredicateOperand? {
        guard depth < depthLimit else {
            throw GranaryError(.usage, "the value is nested deeper than the limit of \(depthLimit)")
        }
        guard let given, !(given is NSNull) else { return nil }
        switch given {
        case let optional as any OptionalValue: return try operand(optional.wrapped, depth: depth + 1, problems)
        case let object as any PredicateObject:
            let (subject, check) = object.predicateSubject()
            problems.checks.append(check)
            return .subject(subject)
        case let entries as [String: Any]:
            var values: [String: PredicateOperand] = [:]
            for (key, value) in entries { values[key] = try operand(value, depth: depth + 1, problems) }
            return .subject(DictionarySubject(values: values))
        case let elements as [Any]: return try list(elements, depth, problems)
        case let elements as Set<AnyHashable>: return try list(elements.map(\.base), depth, problems)
        case let argument as any PredicateArgument:
            switch argument.predicateExpression {
            case .constant(let value): return .value(value)
            case .object(let reference): return .reference(reference)
            case .null: return nil
            default: break
            }
        default: break
        }
        throw GranaryError(.usage, "a value of the type \(type(of: given)) has nothing that a predicate can test")
    }

    private static func list(
        _ elements: [Any], _ depth: Int, _ problems: Problems
    ) throws(GranaryError) -> PredicateOperand {
        var operands: [PredicateOperand?] = []
        operands.reserveCapacity(elements.count)
        for element in elements { operands.append(try operand(element, depth: depth + 1, problems)) }
        return .list(operands)
    }
}

/// An optional whose type is not known: a value of `[String: AttributeValue?]` is one.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
