import Foundation
import GranaryModel
public import GranaryPredicates

extension ManagedObjectID {
    /// The object in predicates, as the value of ``ObjectExpression/object(_:)``.
    public var predicateReference: ObjectReference {
        let hierarchy = origin.schema.entities[root].name
        let uri = uriRepresentation.absoluteString
        switch reference {
        case .stored(let key):
            return ObjectReference(store: origin.identifier, root: hierarchy, key: .stored(key), uri: uri)
        case .temporary(let uuid):
            return ObjectReference(store: "", root: hierarchy, key: .temporary(uuid.uuidString), uri: uri)
        }
    }
}

/// An ID can be an argument of a predicate: `try ObjectPredicate("department == %@", id)`.
extension ManagedObjectID: PredicateArgument {
    /// The ID as a constant.
    public var predicateExpression: ObjectExpression { .object(predicateReference) }
}
