/// A relationship from one entity to another. (`NSRelationshipDescription`)
public struct RelationshipDescription: Sendable, Hashable {
    /// What happens to the objects at the other end when the object at this end is deleted. The raw values are Core
    /// Data's `NSDeleteRule` numbers.
    public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
        case noAction = 0
        case nullify = 1
        case cascade = 2
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

        public init?(name: String) {
            guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = rule
        }
    }

    public var name: String
    public var destinationEntityName: String
    /// The relationship of the destination that mirrors this one; nil for none.
    public var inverseName: String?
    public var isOptional = false
    public var isTransient = false
    /// How few objects there may be when there are any; 0 for no bound.
    public var minCount = 0
    /// How many objects there may be: 1 makes it to-one, 0 has no bound. (−1 occurs in models made in code.)
    public var maxCount = 1
    public var isOrdered = false
    public var deleteRule = DeleteRule.nullify
    public var isIndexed = false
    public var isIndexedBySpotlight = false
    public var isStoredInExternalRecord = false
    public var isSyncable = false
    public var renamingIdentifier: String?
    public var versionHashModifier: String?
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

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
