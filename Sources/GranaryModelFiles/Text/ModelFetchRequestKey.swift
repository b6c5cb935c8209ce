import GranaryModel
import GranaryYAML

/// The keys of a fetch request in its long form.
enum ModelFetchRequestKey: String, TreeKey {
    case name, entity, predicate, sort, result, limit, subentities, faults, distinct, notes
    case batchSize = "batch-size"
    case propertyValues = "property-values"
    case pendingChanges = "pending-changes"

    typealias Flag = any WritableKeyPath<FetchRequestTemplate, Bool> & Sendable

    static let flags: [(key: Self, path: Flag)] = [
        (.subentities, \.includesSubentities), (.propertyValues, \.includesPropertyValues),
        (.pendingChanges, \.includesPendingChanges), (.faults, \.returnsObjectsAsFaults),
        (.distinct, \.returnsDistinctResults),
    ]
}
