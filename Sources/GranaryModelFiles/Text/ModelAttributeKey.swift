import GranaryModel
import GranaryYAML

/// The keys of an attribute in its long form. Those of flags are also words of the short form.
enum ModelAttributeKey: String, TreeKey {
    case type, required, unique, minimum, maximum, pattern, rules, derived, transformer, composite, scalar, syncable
    case notes, transient, indexed, external, spotlight, encrypted, preserved
    case defaultValue = "default"
    case minimumLength = "minimum-length"
    case maximumLength = "maximum-length"
    case valueClass = "value-class"
    case externalRecord = "external-record"
    case renamedFrom = "renamed-from"
    case hashModifier = "hash-modifier"
    case userInfo = "user-info"

    typealias Flag = any WritableKeyPath<AttributeDescription, Bool> & Sendable

    static let flags: [(key: Self, path: Flag)] = [
        (.transient, \.isTransient), (.indexed, \.isIndexed), (.external, \.allowsExternalBinaryDataStorage),
        (.spotlight, \.isIndexedBySpotlight), (.encrypted, \.allowsCloudEncryption),
        (.preserved, \.preservesValueInHistoryOnDeletion), (.externalRecord, \.isStoredInExternalRecord),
    ]
}
