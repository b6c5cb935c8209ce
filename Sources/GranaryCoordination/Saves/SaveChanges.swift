/// The changes of a save, in a form that other contexts, tasks and threads can use. (`NSManagedObjectContextDidSave`,
/// with the IDs of `NSManagedObjectContextDidSaveObjectIDs`)
public struct SaveChanges: Sendable, Hashable {
    /// The inserted objects, by their permanent IDs; after a save of a child context the IDs may be temporary.
    public var inserted: Set<ManagedObjectID>
    /// The updated objects.
    public var updated: Set<ManagedObjectID>
    /// The deleted objects; after a save of a child context, the objects that its parent will delete.
    public var deleted: Set<ManagedObjectID>
    /// The position in the history after the save; nil if no written store has a history.
    /// (`NSPersistentHistoryTokenKey`)
    public var historyToken: PersistentHistoryToken?
    /// Whether this is a save of a child context into its parent. The stores do not have the changes yet, and the IDs
    /// of new objects may be temporary. Only the other children of that parent can merge it.
    public var isIntoParent = false
    /// Whether objects were changed that are not listed, by an import or a batch request.
    package var isUnlisted = false

    /// Describes changes that were made without a context of the container, for
    /// ``ManagedObjectContext/mergeChanges(from:)``. (`mergeChanges(fromRemoteContextSave:into:)`)
    public init(
        inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [], deleted: Set<ManagedObjectID> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether there are no changes.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Adds the changes of a later save.
    mutating func append(_ later: SaveChanges) {
        inserted.formUnion(later.inserted)
        updated.formUnion(later.updated.subtracting(inserted))
        // A deleted object is neither inserted nor updated.
        inserted.subtract(later.deleted)
        updated.subtract(later.deleted)
        deleted.formUnion(later.deleted)
        // The object was written again after its deletion.
        deleted.subtract(later.inserted)
        deleted.subtract(later.updated)
        if later.isUnlisted { isUnlisted = true }
        if let token = later.historyToken { historyToken = historyToken?.joined(with: token) ?? token }
    }
}

extension SaveChanges: CustomStringConvertible {
    /// `2 inserted, 1 updated, 0 deleted`; a save of a child context ends with `(into the parent)`.
    public var description: String {
        "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted"
            + (isIntoParent ? " (into the parent)" : "")
    }
}
