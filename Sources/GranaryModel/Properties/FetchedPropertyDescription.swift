import GranaryPredicates

/// A property whose value is the result of a fetch request. (`NSFetchedPropertyDescription`)
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The name, which must be unique among the properties of an entity. (`NSPropertyDescription.name`)
    public var name: String
    /// The fetch request. (`NSFetchedPropertyDescription.fetchRequest`)
    public var fetchRequest: FetchRequestTemplate
    /// The `optional` attribute of the XML. In Core Data every fetched property is optional.
    /// (`NSPropertyDescription.isOptional`)
    public var isOptional = true
    /// The `syncable` attribute of the XML. It is kept and written back, without effect on the version hash or the
    /// store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil if it has not changed.
    /// (`NSPropertyDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// The version hash modifier; nil if there is none. It has no effect, because fetched properties are not part of
    /// the version hash. (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// Keys and values of the user. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: UserInfoValue] = [:]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// An optional fetched property.
    public init(name: String, fetchRequest: FetchRequestTemplate) {
        self.name = name
        self.fetchRequest = fetchRequest
    }
}
