import GranaryCoordination
import GranaryModel
import GranaryPredicates

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
