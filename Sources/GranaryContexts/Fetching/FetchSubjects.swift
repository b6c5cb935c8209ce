import GranaryCoordination
import GranaryModel

/// Keeps an error during the evaluation of a predicate, because subjects cannot throw.
final class SubjectFailure {
    var error: (any Error)?

    /// Throws the kept error.
    func check() throws {
        guard let error else { return }
        self.error = nil
        throw error
    }
}

/// Evaluates predicates on an object with its unsaved changes.
struct ObjectSubject: PredicateSubject {
    let object: ManagedObject
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { object.objectID.predicateReference }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        do {
            switch object.entity.property(named: key) {
            case .attribute?: return try object.value(forKey: key).map(PredicateOperand.value)
            case .relationship(let index)? where object.layout.relationships[index].isToMany:
                let members = try object.objects(forKey: key)
                return .list(members.map { .subject(ObjectSubject(object: $0, failure: failure)) })
            case .relationship?:
                return try object.object(forKey: key).map { .subject(ObjectSubject(object: $0, failure: failure)) }
            case nil:
                if key == "self" || key == "objectID" { return predicateSelf }
                let isComposite = object.entity.attributes.contains { $0.name.hasPrefix(key + ".") }
                return isComposite
                    ? .subject(CompositeSubject(object: object, prefix: key + ".", failure: failure)) : nil
            }
        } catch {
            failure.error = error
            return nil
        }
    }
}

/// Evaluates predicates on a composite attribute of an object.
private struct CompositeSubject: PredicateSubject {
    let object: ManagedObject
    let prefix: String
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        let name = prefix + key
        if object.entity.attribute(named: name) == nil {
            return .subject(CompositeSubject(object: object, prefix: name + ".", failure: failure))
        }
        return ObjectSubject(object: object, failure: failure).predicateValue(forKey: name)
    }
}

/// Evaluates predicates on a stored row without creating its object.
struct StoredSubject: PredicateSubject {
    let row: StoredRow
    let context: ManagedObjectContext
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { row.id.predicateReference }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        // Only objects have transient values.
        guard let attribute = row.layout.entity.attribute(named: key), attribute.isPersistent else {
            return ObjectSubject(object: context.object(for: row), failure: failure).predicateValue(forKey: key)
        }
        return row.value(at: attribute.slot).attribute.map(PredicateOperand.value)
    }
}

/// A subject without properties, for expressions whose operands are all constants.
struct EmptySubject: PredicateSubject {
    var predicateSelf: PredicateOperand? { nil }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? { nil }
}

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
