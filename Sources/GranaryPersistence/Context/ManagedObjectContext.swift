public import GranaryBase
import GranaryModel
import Foundation

/// A scratch pad for objects of a store: what is inserted, changed and deleted in it stays in it until ``save()``.
/// (`NSManagedObjectContext`)
///
/// There is one object for an ID in a context. A context is not `Sendable`: it and its objects stay where they were
/// made; object IDs and values are what goes out. Get one from a ``PersistentContainer``.
///
/// ```swift
/// try await container.perform { context in
///     let coffee = try context.insert(into: "Coffee")
///     try coffee.setValue("Sumatra", forKey: "name")
///     try context.save()
/// }
/// ```
public final class ManagedObjectContext {
    /// What the context reads from and saves to; other contexts may share it.
    /// (`NSManagedObjectContext.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// Every object that the context knows, by its ID.
    var registered: [ManagedObjectID: ManagedObject] = [:]
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    /// Objects inserted and deleted again before any save.
    var discarded: Set<ManagedObject> = []
    /// Counts changes of objects: who changed since when.
    var changeCount = 0
    /// Deleted objects whose delete rules have not run yet.
    var pendingDeletions: [ManagedObject] = []
    var isDeleting = false
    private var insertionCount = 0
    private var exclusiveOwners: [ExclusiveLink: ManagedObjectID] = [:]

    init(coordinator: PersistentStoreCoordinator) {
        persistentStoreCoordinator = coordinator
    }

    /// All objects that the context knows.
    public var registeredObjects: Set<ManagedObject> { Set(registered.values) }
    /// The objects that the next save adds to the store.
    public var insertedObjects: Set<ManagedObject> { inserted }
    /// The stored objects that were changed.
    public var updatedObjects: Set<ManagedObject> { updated }
    /// The stored objects that the next save removes.
    public var deletedObjects: Set<ManagedObject> { deleted }
    /// Whether there is anything to save.
    public var hasChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    // MARK: - New objects

    /// Makes a new object with the model's default values, of the class registered for its entity.
    ///
    /// - Throws: ``GranaryError`` with code `refused` when there is no such entity (`entity.unknown`) or it is abstract
    ///   (`entity.abstract`).
    @discardableResult
    public func insert(into entityName: String) throws(GranaryError) -> ManagedObject {
        insert(try persistentStoreCoordinator.layout(named: entityName))
    }

    /// Makes a new object of the entity that a class is registered for.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the class is registered for no entity or several, otherwise as
    ///   ``insert(into:)``.
    @discardableResult
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws(GranaryError) -> Object {
        let layouts = persistentStoreCoordinator.layouts.filter { $0.objectClass == type && !$0.entity.isAbstract }
        guard layouts.count == 1, let object = insert(layouts[0]) as? Object else {
            throw GranaryError(
                .usage, "the class \(type) is registered for \(layouts.count) entities; use insert(into:)")
        }
        return object
    }

    private func insert(_ layout: ObjectLayout) -> ManagedObject {
        let id = ManagedObjectID(
            origin: persistentStoreCoordinator.identity, entity: layout.index, reference: .temporary(UUID()))
        let object = layout.objectClass.init(
            ManagedObject.Creation(layout: layout, id: id, values: layout.defaults, version: 0, context: self))
        insertionCount += 1
        object.insertionNumber = insertionCount
        object.isInserted = true
        registered[id] = object
        inserted.insert(object)
        noteChange(of: object)
        object.awakeFromInsert()
        return object
    }

    /// Takes back every change since the last save: new objects go, changed and deleted ones are as they were stored.
    public func rollback() {
        pendingDeletions = []
        for object in inserted.union(discarded) { letGo(object) }
        for object in updated.union(deleted) {
            if let snapshot = object.snapshot { object.values = snapshot }
            object.snapshot = nil
            object.isUpdated = false
            object.isDeleted = false
        }
        forgetChanges()
        // Who owns what may have changed with the values; it is read again when it is needed.
        exclusiveOwners = [:]
        for object in registered.values { object.unloadExclusiveLinks() }
    }

    /// Lets go of all objects and of every change.
    public func reset() {
        pendingDeletions = []
        for object in discarded.union(registered.values) { letGo(object) }
        forgetChanges()
        exclusiveOwners = [:]
    }

    func forgetChanges() {
        inserted = []
        updated = []
        deleted = []
        discarded = []
    }

    /// The object is the context's no longer.
    func letGo(_ object: ManagedObject) {
        registered[object.objectID] = nil
        object.managedObjectContext = nil
        object.isInserted = false
        object.isUpdated = false
        object.isDeleted = false
        object.snapshot = nil
    }

    func noteChange(of object: ManagedObject) {
        changeCount += 1
        object.changeMark = changeCount
        guard !object.isInserted, !object.isUpdated, !object.isDeleted else { return }
        object.isUpdated = true
        updated.insert(object)
    }

    /// Whether the object of that ID is deleted here, or was never saved and is gone.
    func isGoing(_ id: ManagedObjectID) -> Bool {
        if let object = registered[id] { return object.isDeleted }
        return id.isTemporaryID
    }
}

// MARK: - To-many relationships without an inverse

/// Who holds an object over a relationship that has no inverse to say so.
struct ExclusiveLink: Hashable {
    let relationship: LinkLayout.ID
    let member: ManagedObjectID
}

extension ManagedObjectContext {
    func exclusiveOwner(of member: ManagedObjectID, over relationship: LinkLayout.ID) -> ManagedObjectID? {
        exclusiveOwners[ExclusiveLink(relationship: relationship, member: member)]
    }

    func setExclusiveOwner(
        _ owner: ManagedObjectID?, of member: ManagedObjectID, over relationship: LinkLayout.ID
    ) {
        exclusiveOwners[ExclusiveLink(relationship: relationship, member: member)] = owner
    }

    /// Gives every ID its successor; nil where the object is gone.
    func renameExclusiveOwners(_ successor: (ManagedObjectID) -> ManagedObjectID?) {
        guard !exclusiveOwners.isEmpty else { return }
        var renamed: [ExclusiveLink: ManagedObjectID] = [:]
        for (link, owner) in exclusiveOwners {
            guard let member = successor(link.member), let owner = successor(owner) else { continue }
            renamed[ExclusiveLink(relationship: link.relationship, member: member)] = owner
        }
        exclusiveOwners = renamed
    }
}

extension ManagedObject {
    fileprivate func unloadExclusiveLinks() {
        for link in layout.relationships where link.isExclusive { values[link.slot] = .toMany(nil) }
    }
}
