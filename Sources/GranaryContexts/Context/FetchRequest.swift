import GranaryCoordination
public import GranaryModel

/// The criteria and options of a fetch. (`NSFetchRequest`)
///
/// ```swift
/// var request = FetchRequest("Coffee")
/// request.predicate = .compare(.keyPath("strength"), .greater, .constant(3))
/// request.sortDescriptors = [ObjectSortDescriptor("name")]
/// let strong = try context.fetch(request)
/// ```
public struct FetchRequest: Sendable, Hashable {
    /// The name of the entity to fetch.
    public var entityName: String
    /// The condition; nil for all objects. It is evaluated with the values in the context.
    public var predicate: ObjectPredicate?
    /// The sort order. If empty, stored objects come first by their keys, then new objects in the order they were
    /// inserted.
    public var sortDescriptors: [ObjectSortDescriptor] = []
    /// The maximum number of objects; 0 for all.
    public var fetchLimit = 0
    /// The number of objects to skip.
    public var fetchOffset = 0
    /// The number of rows read at once; 0 means 500. ``ManagedObjectContext/enumerate(_:_:)`` keeps only one batch in
    /// memory; a fetch returns all objects.
    public var fetchBatchSize = 0
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// Whether unsaved changes are considered: inserted and deleted objects, and changed values.
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

    /// The request without refreshing, for counts and IDs.
    var withoutRefreshing: FetchRequest {
        var request = self
        request.shouldRefreshRefetchedObjects = false
        return request
    }

    /// Creates a request for the objects of an entity and its subentities.
    public init(_ entityName: String, where predicate: ObjectPredicate? = nil) {
        self.entityName = entityName
        self.predicate = predicate
    }
}

/// One key of a sort order. (`NSSortDescriptor`; Foundation has the name `SortDescriptor`.)
///
/// Text compares by its UTF-8 bytes. NULL is first, or last in descending order, as in SQLite.
public struct ObjectSortDescriptor: Sendable, Hashable {
    /// The name of an attribute, or a path to one over to-one relationships: `department.name`.
    public var keyPath: String
    /// Whether the order is ascending.
    public var isAscending: Bool

    /// Creates a descriptor for an attribute.
    public init(_ keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        isAscending = ascending
    }
}
