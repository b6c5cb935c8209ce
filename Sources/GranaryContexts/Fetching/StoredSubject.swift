import GranaryCoordination
import GranaryModel
import GranaryPredicates

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
