import GranaryCoordination
public import GranaryModel
public import GranaryPredicates

/// The criteria and options of a fetch. (`NSFetchRequest`)
///
/// ```swift
/// var request = FetchRequest("Coffee", where: try ObjectPredicate("strength > %@", 3))
/// request.sortDescriptors = [ObjectSortDescriptor("name")]
/// let strong = try context.fetch(request)
/// ```
/// `FetchRequest(Coffee.self)` gives objects of the class `Coffee`, which must be registered for an entity.
public struct FetchRequest<Object: ManagedObject>: Sendable, Hashable {
    /// The name of the entity to fetch; nil for the entity that the class `Object` is registered for.
    public var entityName: String?
    /// The condition; nil for all objects. The store evaluates it, or the context if unsaved changes can matter.
    public var predicate: ObjectPredicate?
    /// The sort order. If empty, stored objects come first by their keys, then new objects in the order they were
    /// inserted.
    public var sortDescriptors: [ObjectSortDescriptor] = []
    /// The maximum number of results; 0 for all.
    public var fetchLimit = 0
    /// The number of results to skip.
    public var fetchOffset = 0
    /// The number of rows read at once; 0 means 500. ``ManagedObjectContext/enumerate(_:_:)`` keeps only one batch in
    /// memory; a fetch returns all objects.
    public var fetchBatchSize = 0
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// Whether unsaved changes are considered: inserted and deleted objects, and changed values. Dictionaries never
    /// include them.
    public var includesPendingChanges = true
    /// Whether fetched objects are faults, so that ``ManagedObject/awakeFromFetch()`` runs on the first access to a
    /// value. The rows are read in both cases.
    public var returnsObjectsAsFaults = true
    /// Whether the fetch updates registered objects with the values in the store. Their unsaved changes are kept.
    /// (`shouldRefreshRefetchedObjects`)
    public var shouldRefreshRefetchedObjects = false
    /// Key paths of relationships whose destinations are read together with the fetched objects:
    /// `["department.company"]`.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// The UUIDs of the stores to search; nil for all.
    public var affectedStores: [String]?
    /// The kind of result that `ManagedObjectContext.execute(_:)` returns.
    public var resultType = FetchRequestTemplate.ResultType.managedObjects

    // MARK: - Dictionaries

    /// The columns of dictionaries. If empty, the properties to group by, or all attributes.
    public var propertiesToFetch: [FetchColumn] = []
    /// Whether equal dictionaries are returned only once.
    public var returnsDistinctResults = false
    /// The key paths of dictionaries by which rows are grouped, or names of expressions in ``propertiesToFetch``. Every
    /// other column must be an aggregate.
    public var propertiesToGroupBy: [String] = []
    /// The condition on the groups. It may use the properties to group by, and the columns as variables:
    /// `$count > 100`.
    public var havingPredicate: ObjectPredicate?

    init(name: String?, matching predicate: ObjectPredicate?) {
        entityName = name
        self.predicate = predicate
    }
}

extension FetchRequest {
    /// Creates a request for the objects of the entity that a class is registered for, and of its subentities.
    public init(_ type: Object.Type, where predicate: ObjectPredicate? = nil) {
        self.init(name: nil, matching: predicate)
    }

    /// Creates a request for the objects of an entity and its subentities, which must be of the class `Object`.
    public init(entityName: String, where predicate: ObjectPredicate? = nil) {
        self.init(name: entityName, matching: predicate)
    }

    /// The number of results to find, including the offset; nil for all.
    var wanted: Int? {
        guard fetchLimit > 0 else { return nil }
        let (sum, overflow) = max(0, fetchOffset).addingReportingOverflow(fetchLimit)
        return overflow ? nil : sum
    }

    /// Applies offset and limit.
    func window<Element>(_ elements: [Element]) -> [Element] {
        let rest = elements.dropFirst(max(0, fetchOffset))
        return Array(fetchLimit > 0 ? rest.prefix(fetchLimit) : rest)
    }
}

extension FetchRequest where Object == ManagedObject {
    /// Creates a request for the objects of an entity and its subentities.
    public init(_ entityName: String, where predicate: ObjectPredicate? = nil) {
        self.init(name: entityName, matching: predicate)
    }

    /// Copies a request with the name of its entity.
    init<Other>(_ other: FetchRequest<Other>, entityName: String) {
        self.init(name: entityName, matching: other.predicate)
        sortDescriptors = other.sortDescriptors
        fetchLimit = other.fetchLimit
        fetchOffset = other.fetchOffset
        fetchBatchSize = other.fetchBatchSize
        includesSubentities = other.includesSubentities
        includesPendingChanges = other.includesPendingChanges
        returnsObjectsAsFaults = other.returnsObjectsAsFaults
        shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
        relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
        affectedStores = other.affectedStores
        resultType = other.resultType
        propertiesToFetch = other.propertiesToFetch
        returnsDistinctResults = other.returnsDistinctResults
        propertiesToGroupBy = other.propertiesToGroupBy
        havingPredicate = other.havingPredicate
    }

    /// The request without refreshing, for counts and IDs.
    var withoutRefreshing: Self {
        var request = self
        request.shouldRefreshRefetchedObjects = false
        return request
    }
}
