/// A property whose value is the result of a fetch. (`NSFetchedPropertyDescription`)
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// Occurs once among the properties of an entity. (`NSPropertyDescription.name`)
    public var name: String
    /// The fetch whose result is the value. (`NSFetchedPropertyDescription.fetchRequest`)
    public var fetchRequest: FetchRequestTemplate
    /// The mark of the XML. Core Data has every fetched property optional. (`NSPropertyDescription.isOptional`)
    public var isOptional = true
    /// The `syncable` mark of the XML; kept, and written again. It changes neither the version hash nor the store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil where it has not changed.
    /// (`NSPropertyDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Kept, but without effect: fetched properties are no part of the version hash; nil for none.
    /// (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// The user's own keys and values. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// An optional property whose value is what `fetchRequest` finds.
    public init(name: String, fetchRequest: FetchRequestTemplate) {
        self.name = name
        self.fetchRequest = fetchRequest
    }
}

/// A fetch request as a model holds it: its predicate is text that may name variables.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// What the request gives back. The raw values are those of `NSFetchRequestResultType`.
    public enum ResultType: Int, Sendable, Hashable, Codable {
        /// Objects.
        case managedObjects = 0
        /// Only the IDs of objects.
        case managedObjectIDs = 1
        /// A dictionary of property values for each object.
        case dictionaries = 2
        /// Only how many objects there are.
        case count = 4
    }

    /// The name by which a model lists it; occurs once among its templates.
    public var name: String
    /// The entity whose objects are looked for; one of the model. (`NSFetchRequest.entityName`)
    public var entityName: String
    /// The predicate in its format language, as the model has it; nil for none.
    public var predicateFormat: String?
    /// What the request gives back. (`NSFetchRequest.resultType`)
    public var resultType = ResultType.managedObjects
    /// How many objects at most; 0 for no bound.
    public var fetchLimit = 0
    /// How many objects are loaded at a time; 0 for all at once. (`NSFetchRequest.fetchBatchSize`)
    public var fetchBatchSize = 0
    /// Whether objects of subentities are found too. False where the XML says nothing.
    /// (`NSFetchRequest.includesSubentities`)
    public var includesSubentities = false
    /// Whether values are loaded together with the objects. False where the XML says nothing.
    /// (`NSFetchRequest.includesPropertyValues`)
    public var includesPropertyValues = false
    /// Whether unsaved changes of the context count. False where the XML says nothing.
    /// (`NSFetchRequest.includesPendingChanges`)
    public var includesPendingChanges = false
    /// Whether objects come as faults, without their values. False where the XML says nothing.
    /// (`NSFetchRequest.returnsObjectsAsFaults`)
    public var returnsObjectsAsFaults = false
    /// Whether equal results come only once. False where the XML says nothing.
    /// (`NSFetchRequest.returnsDistinctResults`)
    public var returnsDistinctResults = false
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// A request for objects of an entity; without a predicate for all of them.
    public init(name: String, entityName: String, predicateFormat: String? = nil) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
    }
}
