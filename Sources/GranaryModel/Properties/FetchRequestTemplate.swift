public import GranaryPredicates

/// A fetch request in a model. Its predicate is text that can contain variables.
///
/// A new request has the options of a new `NSFetchRequest`. A request that is read from an XML model has those that
/// the XML names, and no others.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The type of a request's results. The raw values are those of `NSFetchRequestResultType`.
    public enum ResultType: Int, Sendable, Hashable, Codable {
        /// Objects.
        case managedObjects = 0
        /// Only the IDs of objects.
        case managedObjectIDs = 1
        /// A dictionary of property values for each object.
        case dictionaries = 2
        /// Only the number of objects.
        case count = 4
    }

    /// The name, which must be unique among a model's templates.
    public var name: String
    /// The entity to fetch, which must exist in the model. (`NSFetchRequest.entityName`)
    public var entityName: String
    /// The predicate's text in the model; nil if there is none.
    public var predicateFormat: String?
    /// The order of the results. XML models have none; compiled models can. (`NSFetchRequest.sortDescriptors`)
    public var sortDescriptors: [ObjectSortDescriptor] = []
    /// The type of the results. (`NSFetchRequest.resultType`)
    public var resultType = ResultType.managedObjects
    /// The maximum number of objects; 0 for no bound.
    public var fetchLimit = 0
    /// The number of objects loaded at a time; 0 for all at once. (`NSFetchRequest.fetchBatchSize`)
    public var fetchBatchSize = 0
    /// Whether objects of subentities are fetched too. An XML model has it only if it says so.
    /// (`NSFetchRequest.includesSubentities`)
    public var includesSubentities = true
    /// Whether values are loaded together with the objects. An XML model has it only if it says so.
    /// (`NSFetchRequest.includesPropertyValues`)
    public var includesPropertyValues = true
    /// Whether unsaved changes of the context are included. An XML model has it only if it says so.
    /// (`NSFetchRequest.includesPendingChanges`)
    public var includesPendingChanges = true
    /// Whether objects are returned as faults, without their values. An XML model has it only if it says so.
    /// (`NSFetchRequest.returnsObjectsAsFaults`)
    public var returnsObjectsAsFaults = true
    /// Whether duplicate results are removed. False if the XML omits it. (`NSFetchRequest.returnsDistinctResults`)
    public var returnsDistinctResults = false
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A request for the objects of an entity that satisfy a predicate, or for all of them.
    public init(name: String, entityName: String, predicateFormat: String? = nil) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
    }

    /// A request without any of the options, which model files and archives name if they are set.
    package static func withoutOptions(name: String = "", entityName: String = "") -> Self {
        var request = Self(name: name, entityName: entityName)
        request.includesSubentities = false
        request.includesPropertyValues = false
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        return request
    }
}
