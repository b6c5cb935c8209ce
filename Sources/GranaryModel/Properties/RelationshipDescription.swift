/// A relationship from one entity to another. (`NSRelationshipDescription`)
public struct RelationshipDescription: Sendable, Hashable {
    /// The effect of an object's deletion on the objects at the other end. The raw values are Core Data's
    /// `NSDeleteRule` numbers.
    public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
        /// Objects at the other end are unchanged, even if they refer to the deleted object.
        case noAction = 0
        /// Objects at the other end no longer refer to the deleted object.
        case nullify = 1
        /// Objects at the other end are deleted too, following their own delete rules.
        case cascade = 2
        /// The save is refused (error 1600) if an object at the other end is not deleted.
        case deny = 3

        /// The name in the `.xcdatamodel` XML.
        public var name: String {
            switch self {
            case .noAction: "No Action"
            case .nullify: "Nullify"
            case .cascade: "Cascade"
            case .deny: "Deny"
            }
        }

        /// The rule with a name in the `.xcdatamodel` XML; nil if there is none.
        public init?(name: String) {
            guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = rule
        }
    }

    /// The name, which must be unique among the properties of an entity. Part of the version hash.
    /// (`NSPropertyDescription.name`)
    public var name: String
    /// The entity at the other end; objects of its subentities are also allowed. Part of the version hash.
    /// (`NSRelationshipDescription.destinationEntity`)
    public var destinationEntityName: String
    /// The inverse relationship of the destination; nil if there is none.
    public var inverseName: String?
    /// Whether the relationship may be empty regardless of ``minCount``. Part of the version hash.
    /// (`NSPropertyDescription.isOptional`)
    public var isOptional = false
    /// Whether it exists only in memory. (`NSPropertyDescription.isTransient`)
    public var isTransient = false
    /// The minimum number of objects of a relationship that is not empty; 0 for no bound.
    public var minCount = 0
    /// The maximum number of objects: 1 for a to-one relationship, 0 for no bound. (−1 occurs in models created in
    /// code.)
    public var maxCount = 1
    /// Whether a to-many relationship is ordered. Part of the version hash. (`NSRelationshipDescription.isOrdered`)
    public var isOrdered = false
    /// The delete rule. Not part of the version hash. (`NSRelationshipDescription.deleteRule`)
    public var deleteRule = DeleteRule.nullify
    /// The index flag from before 2017. It has no effect on a store, where every to-one relationship has an index. Not
    /// part of the version hash.
    public var isIndexed = false
    /// Whether Spotlight indexes it. Not part of the version hash. (`NSPropertyDescription.isIndexedBySpotlight`)
    public var isIndexedBySpotlight = false
    /// Whether Core Data also writes it to external records. Not part of the version hash.
    /// (`NSPropertyDescription.isStoredInExternalRecord`; `storedInTruthFile` in the XML)
    public var isStoredInExternalRecord = false
    /// The `syncable` attribute of the XML. It is kept and written back, without effect on the version hash or the
    /// store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil if it has not changed. Not part of the version hash.
    /// (`NSPropertyDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Text that is added to the version hash to change it; nil if there is none.
    /// (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// Keys and values of the user. Not part of the version hash. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: UserInfoValue] = [:]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A required to-one relationship with the delete rule `nullify`. `destination` is the name of an entity, `inverse`
    /// the name of the inverse relationship.
    public init(name: String, destination: String, inverse: String? = nil) {
        self.name = name
        destinationEntityName = destination
        inverseName = inverse
    }

    /// Whether it is a to-many relationship: ``maxCount`` is not 1.
    public var isToMany: Bool { maxCount != 1 }
}

extension RelationshipDescription.DeleteRule: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let rule = Self(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no delete rule \"\(name)\"")
        }
        self = rule
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
