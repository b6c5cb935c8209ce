/// A property whose value is the result of a fetch. (`NSFetchedPropertyDescription`)
public struct FetchedPropertyDescription: Sendable, Hashable {
    public var name: String
    public var fetchRequest: FetchRequestTemplate
    public var isOptional = true
    public var isSyncable = false
    public var renamingIdentifier: String?
    public var versionHashModifier: String?
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, fetchRequest: FetchRequestTemplate) {
        self.name = name
        self.fetchRequest = fetchRequest
    }
}

/// A fetch request as a model holds it: its predicate is text that may name variables.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// What the request gives back. The raw values are those of `NSFetchRequestResultType`.
    public enum ResultType: Int, Sendable, Hashable, Codable {
        case managedObjects = 0
        case managedObjectIDs = 1
        case dictionaries = 2
        case count = 4
    }

    public var name: String
    public var entityName: String
    /// The predicate in its format language, as the model has it; nil for none.
    public var predicateFormat: String?
    public var resultType = ResultType.managedObjects
    /// How many objects at most; 0 for no bound.
    public var fetchLimit = 0
    public var fetchBatchSize = 0
    public var includesSubentities = false
    public var includesPropertyValues = false
    public var includesPendingChanges = false
    public var returnsObjectsAsFaults = false
    public var returnsDistinctResults = false
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, entityName: String, predicateFormat: String? = nil) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
    }
}
