import GranaryCoordination
import GranaryModel
import GranaryPredicates

extension PredicateOperand {
    /// The operand as a constant.
    var expression: ObjectExpression {
        switch self {
        case .value(let value): return .constant(value)
        case .reference(let reference): return .object(reference)
        case .subject(let subject): return subject.predicateReference.map(ObjectExpression.object) ?? .null
        case .list(let elements): return .list(elements.map { $0?.expression ?? .null })
        }
    }
}
