/// What a save has changed, fit to go to other contexts, tasks and threads. (`NSManagedObjectContextDidSave`, with the
/// IDs of `NSManagedObjectContextDidSaveObjectIDs`)
public struct SaveChanges: Sendable, Hashable {
    /// The new objects, under their permanent IDs; in a save of a child context perhaps under temporary ones.
    public var inserted: Set<ManagedObjectID>
    /// The objects that were written.
    public var updated: Set<ManagedObjectID>
    /// The objects that are gone; in a save of a child context those that its parent deletes.
    public var deleted: Set<ManagedObjectID>
    /// Where the histories of the stores stand after the save; nil where no store that was written keeps one.
    /// (`NSPersistentHistoryTokenKey`)
    public var historyToken: PersistentHistoryToken?
    /// Whether a child context has saved into its parent: the stores do not have the changes yet, and the IDs of new
    /// objects may be temporary. The other children of that parent can merge it.
    public var isIntoParent = false

    /// What was changed past the contexts of a container, for ``ManagedObjectContext/mergeChanges(from:)``.
    /// (`mergeChanges(fromRemoteContextSave:into:)`)
    public init(
        inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [], deleted: Set<ManagedObjectID> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether nothing was changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Adds what a later save has changed.
    mutating func append(_ later: SaveChanges) {
        inserted.formUnion(later.inserted)
        updated.formUnion(later.updated.subtracting(inserted))
        // What is gone was neither new nor changed.
        inserted.subtract(later.deleted)
        updated.subtract(later.deleted)
        deleted.formUnion(later.deleted)
        // Somebody has written it again.
        deleted.subtract(later.inserted)
        deleted.subtract(later.updated)
        if let token = later.historyToken { historyToken = historyToken?.joined(with: token) ?? token }
    }
}
