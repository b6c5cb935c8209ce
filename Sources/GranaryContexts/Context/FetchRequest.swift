import GranaryCoordination
public import GranaryModel

/// Which objects are to be fetched, in which order, and how much is read at once. (`NSFetchRequest`)
///
/// ```swift
/// var request = FetchRequest("Coffee")
/// request.predicate = .compare(.keyPath("strength"), .greater, .constant(3))
/// request.sortDescriptors = [ObjectSortDescriptor("name")]
/// let strong = try context.fetch(request)
/// ```
public struct FetchRequest: Sendable, Hashable {
    /// The entity whose objects are wanted.
    public var entityName: String
    /// What must hold for an object; nil for all. It is tested on values as they are in the context.
    public var predicate: ObjectPredicate?
    /// The order. Without, stored objects come by their keys, then new ones as they were inserted.
    public var sortDescriptors: [ObjectSortDescriptor] = []
    /// At most so many objects; 0 for all.
    public var fetchLimit = 0
    /// So many objects are passed over first.
    public var fetchOffset = 0
    /// How many rows are read at once; 0 for 500. ``ManagedObjectContext/enumerate(_:_:)`` has no more in memory; a fetch
    /// gives all objects.
    public var fetchBatchSize = 0
    /// Whether objects of subentities are wanted, too.
    public var includesSubentities = true
    /// Whether changes that were not saved are seen: new objects, deletions, values.
    public var includesPendingChanges = true
    /// Whether the objects are faults: ``ManagedObject/awakeFromFetch()`` then runs when a value is first asked for.
    /// Their rows are read either way.
    public var returnsObjectsAsFaults = true
    /// Whether the fetch updates the objects that are registered already with the values in the store. Their unsaved changes
    /// are kept. (`shouldRefreshRefetchedObjects`)
    public var shouldRefreshRefetchedObjects = false
    /// Key paths of relationships whose objects are read together with those fetched: `["department.company"]`.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// The UUIDs of the stores that are asked; nil for all.
    public var affectedStores: [String]?

    /// The same request without refreshing, for counts and IDs.
    var withoutRefreshing: FetchRequest {
        var request = self
        request.shouldRefreshRefetchedObjects = false
        return request
    }

    /// All objects of an entity and its subentities.
    public init(_ entityName: String, where predicate: ObjectPredicate? = nil) {
        self.entityName = entityName
        self.predicate = predicate
    }
}

/// One key of an order. (`NSSortDescriptor`; Foundation owns the name `SortDescriptor`.)
///
/// Text compares by its UTF-8 bytes. NULL comes first, descending last, as in SQLite.
public struct ObjectSortDescriptor: Sendable, Hashable {
    /// An attribute, or a path over to-one relationships to one: `department.name`.
    public var keyPath: String
    /// Whether small values come first.
    public var isAscending: Bool

    /// An order by an attribute.
    public init(_ keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        isAscending = ascending
    }
}
