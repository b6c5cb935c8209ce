/// A relationship from one entity to another. (`NSRelationshipDescription`)
public struct RelationshipDescription: Sendable, Hashable {
    /// What happens to the objects at the other end when the object at this end is deleted. The raw values are Core
    /// Data's `NSDeleteRule` numbers.
    public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
        /// Objects at the other end stay as they are, also where they refer to the deleted one.
        case noAction = 0
        /// Objects at the other end stay, and no longer refer to the deleted one.
        case nullify = 1
        /// Objects at the other end are deleted too, with their own rules.
        case cascade = 2
        /// The save is refused (error 1600) while an object at the other end stays.
        case deny = 3

        /// The name that the `.xcdatamodel` XML uses.
        public var name: String {
            switch self {
            case .noAction: "No Action"
            case .nullify: "Nullify"
            case .cascade: "Cascade"
            case .deny: "Deny"
            }
        }

        /// The rule that has that name in the `.xcdatamodel` XML; nil when there is none.
        public init?(name: String) {
            guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = rule
        }
    }

    /// Occurs once among the properties of an entity. Part of the version hash. (`NSPropertyDescription.name`)
    public var name: String
    /// The entity at the other end; its subentities fit as well. Part of the version hash.
    /// (`NSRelationshipDescription.destinationEntity`)
    public var destinationEntityName: String
    /// The relationship of the destination that mirrors this one; nil for none.
    public var inverseName: String?
    /// Whether there may be no object at all, whatever ``minCount`` says. Part of the version hash.
    /// (`NSPropertyDescription.isOptional`)
    public var isOptional = false
    /// Whether it lives in memory only. (`NSPropertyDescription.isTransient`)
    public var isTransient = false
    /// How few objects there may be when there are any; 0 for no bound.
    public var minCount = 0
    /// How many objects there may be: 1 makes it to-one, 0 has no bound. (−1 occurs in models made in code.)
    public var maxCount = 1
    /// Whether a to-many keeps its objects in an order. Part of the version hash.
    /// (`NSRelationshipDescription.isOrdered`)
    public var isOrdered = false
    /// What deleting the object at this end does to the other end. Not part of the version hash.
    /// (`NSRelationshipDescription.deleteRule`)
    public var deleteRule = DeleteRule.nullify
    /// The pre-2017 flag. It adds no index to a store: a to-one has one anyway. Not part of the version hash.
    public var isIndexed = false
    /// Whether Spotlight finds objects by it. Not part of the version hash.
    /// (`NSPropertyDescription.isIndexedBySpotlight`)
    public var isIndexedBySpotlight = false
    /// Whether Core Data writes it to external records too. Not part of the version hash.
    /// (`NSPropertyDescription.isStoredInExternalRecord`; `storedInTruthFile` in the XML)
    public var isStoredInExternalRecord = false
    /// The `syncable` mark of the XML; kept, and written again. It changes neither the version hash nor the store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil where it has not changed. Not part of the version hash.
    /// (`NSPropertyDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Text that goes into the version hash, so that it changes though nothing else in it did; nil for none.
    /// (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// The user's own keys and values. Not part of the version hash. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// A required to-one relationship that nullifies. `destination` is the name of an entity, `inverse` that of the
    /// relationship which mirrors this one.
    public init(name: String, destination: String, inverse: String? = nil) {
        self.name = name
        destinationEntityName = destination
        inverseName = inverse
    }

    /// Whether it holds a set (or an ordered set) of objects.
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
