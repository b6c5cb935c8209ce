import GranaryPropertyLists

/// The word `NSFlagsKey` of an archived attribute.
struct CompiledAttributeFlags: OptionSet, Sendable {
    let rawValue: Int64

    static let allowsExternalBinaryDataStorage = Self(rawValue: 4)
    static let preservesValueInHistoryOnDeletion = Self(rawValue: 16)
    static let all = Self(rawValue: 20)
}
