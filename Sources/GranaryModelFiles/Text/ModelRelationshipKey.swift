import GranaryModel
import GranaryYAML

/// The keys of a relationship in its long form. Those of flags are also words of the short form.
enum ModelRelationshipKey: String, TreeKey {
    case to, destination, required, inverse, unique, syncable, notes, transient, indexed, ordered, spotlight
    case toMany = "to-many"
    case minimumCount = "minimum-count"
    case maximumCount = "maximum-count"
    case deleteRule = "delete-rule"
    case externalRecord = "external-record"
    case renamedFrom = "renamed-from"
    case hashModifier = "hash-modifier"
    case userInfo = "user-info"

    typealias Flag = any WritableKeyPath<RelationshipDescription, Bool> & Sendable

    static let flags: [(key: Self, path: Flag)] = [
        (.ordered, \.isOrdered), (.transient, \.isTransient), (.indexed, \.isIndexed),
        (.spotlight, \.isIndexedBySpotlight), (.externalRecord, \.isStoredInExternalRecord),
    ]
}
