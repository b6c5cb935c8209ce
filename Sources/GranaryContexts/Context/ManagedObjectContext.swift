import Foundation
public import GranaryBase
public import GranaryCoordination
import GranaryModel

/// A workspace for the objects of stores. Inserted, changed and deleted objects stay in it until ``save()``.
/// (`NSManagedObjectContext`)
///
/// A context has one object for each ID. A context is not `Sendable`: it and its objects must stay in one isolation
/// region; pass object IDs and values to other tasks. A ``PersistentContainer`` creates contexts.
///
/// ```swift
/// try await container.perform { context in
///     let coffee = try context.insert(into: "Coffee")
///     try coffee.setValue("Sumatra", forKey: "name")
///     try context.save()
/// }
/// ```
public final class ManagedObjectContext {
    /// The coordinator that the context uses, possibly through its parents; other contexts may share it.
    /// (`NSManagedObjectContext.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator
    /// The context that this one reads from and saves to; nil if it uses the stores directly.
    /// (`NSManagedObjectContext.parent`)
    public let parent: ManagedObjectContext?
    /// The context's name in the stores' histories. (`NSManagedObjectContext.name`)
    public var name: String?
    /// The author of its changes in the stores' histories. (`NSManagedObjectContext.transactionAuthor`)
    public var transactionAuthor: String?
    /// Values that the app attaches to the context. (`NSManagedObjectContext.userInfo`)
    public var userInfo: [String: Any] = [:]
    /// How a save resolves conflicts with objects that others have changed in the store.
    /// (`NSManagedObjectContext.mergePolicy`)
    public var mergePolicy = MergePolicy.error
    /// How long rows may be reused when a refreshed object is accessed again; nil to reuse them until a save of this
    /// coordinator changes the stores. (`NSManagedObjectContext.stalenessInterval`, where -1 is nil)
    public var stalenessInterval: Duration?
    /// Whether saves of other contexts of the container are merged automatically: at the next fetch, save,
    /// ``processPendingChanges()`` or `perform`. A child merges saves of its parent and siblings at once.
    /// (`automaticallyMergesChangesFromParent`)
    public var automaticallyMergesChangesFromParent = false {
        didSet {
            guard oldValue != automaticallyMergesChangesFromParent else { return }
            mailbox = automaticallyMergesChangesFromParent ? subscribe() : nil
        }
    }
    /// Whether a fault whose row is gone is treated as deleted when it is accessed: its properties are NULL and empty,
    /// it is in ``deletedObjects``, and the next ``save()`` discards it. If false, the access throws `object.gone`
    /// (133000). (`shouldDeleteInaccessibleFaults`)
    public var shouldDeleteInaccessibleFaults = true
    /// Whether the context retains its registered objects. (`retainsRegisteredObjects`)
    public var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? registeredObjects : [] }
    }
    /// The first error, since the last ``save()``, of an access to an object that cannot throw: a property of a
    /// generated class, or ``ManagedObject/init(context:)``. The next ``save()`` throws it; then, and after
    /// ``rollback()`` and ``reset()``, it is nil. Until then ``hasChanges`` is true.
    public internal(set) var accessError: (any Error)?
    /// Records changes so that they can be undone; nil by default. A manager serves one context.
    /// (`NSManagedObjectContext.undoManager`)
    public var undoManager: ObjectUndoManager? {
        didSet {
            if oldValue !== undoManager { oldValue?.detach() }
            undoManager?.attach(to: self)
        }
    }

    /// The state of the stores that is read; nil for the present one.
    var queryGeneration: QueryGeneration?
    /// Whether saves and batch requests are refused.
    var isForReading = false
    /// The coordinator's layouts.
    let layouts: ObjectLayouts
    /// The registered objects by ID. They are not retained: an object removes itself when it is deallocated.
    var registered = RegisteredObjects()
    /// The registered objects if ``retainsRegisteredObjects`` is set.
    var retained: Set<ManagedObject> = []
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    /// Objects inserted and deleted again before any save.
    var discarded: Set<ManagedObject> = []
    /// The UUIDs of the stores that new objects were assigned to.
    var assignments: [ManagedObject: String] = [:]
    /// Counts changes, to find the objects that changed since a point in time.
    var changeCount = 0
    /// Deleted objects whose delete rules have not run yet.
    var pendingDeletions: [ManagedObject] = []
    var isDeleting = false
    /// Changes that were not announced yet.
    var pending = ObjectChanges()
    var observers: [Int: (ObjectChanges) -> Void] = [:]
    var observerCount = 0
    /// The results that follow the context.
    var followers = ContextFollowers()
    /// Saves of other contexts that were not merged yet; nil if this context does not merge them.
    var mailbox: SaveMailbox?
    /// Retains objects added by a merge until the app had a chance to access them.
    var merged: [ManagedObject] = []
    var children: [WeakContext] = []
    private var insertionCount = 0
    /// The attributes that a merge policy sets; nil except while a policy runs.
    var policyDecisions: PolicyDecisions?
    /// The ordered relationship that was read last.
    var recentList: RecentList?
    var exclusiveOwners: [ExclusiveLink: ManagedObjectID] = [:]
    var exclusiveOwnerLimit = 1024
    /// The calls of the app's code that are running, the innermost last.
    var activities: [ContextActivity] = []
    /// Whether observers are being told of changes.
    var isAnnouncing = false

    /// Creates a context for a coordinator's stores. Usually a ``PersistentContainer`` creates contexts.
    public convenience init(_ coordinator: PersistentStoreCoordinator) { self.init(coordinator: coordinator) }

    init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil) {
        persistentStoreCoordinator = coordinator
        layouts = coordinator.layouts
        self.parent = parent
        parent?.adopt(child: self)
    }

    deinit { release() }

    /// All registered objects.
    public var registeredObjects: Set<ManagedObject> { Set(registered.objects) }
    /// The number of registered objects.
    var registrationCount: Int { registered.count }
    /// The objects that the next save will insert.
    public var insertedObjects: Set<ManagedObject> { inserted }
    /// The stored objects with changes.
    public var updatedObjects: Set<ManagedObject> { updated }
    /// The stored objects that the next save will delete.
    public var deletedObjects: Set<ManagedObject> { deleted }
    /// Whether there are changes to save, or an ``accessError`` that ``save()`` throws: `if context.hasChanges` before
    /// a save does not lose it.
    public var hasChanges: Bool { hasObjectChanges || accessError != nil }
    /// Whether objects are inserted, changed or deleted.
    var hasObjectChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    // MARK: - Registered objects

    /// Returns the registered object with an ID, even if it is deleted.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? { registered[id] }

    func register(_ object: ManagedObject) {
        if let other = registeredObject(for: object.objectID), other !== object {
            other.lose(ContextLoss(.replacement, in: self))
            if !followers.isEmpty { followers.merged.deleted.insert(other) }
        }
        registerNew(object)
    }

    /// Registers an object whose ID is not registered.
    func registerNew(_ object: ManagedObject) {
        enter(object)
        if retainsRegisteredObjects { retained.insert(object) }
    }

    /// Prepares for a number of further objects.
    func reserveRegistrations(_ further: Int) { registered.reserve(further) }

    /// Unregisters an object that is deallocated or renamed.
    func forget(_ object: ManagedObject) {
        registered.remove(object)
        if let list = recentList, list.owner == ObjectIdentifier(object) { dropRecentList() }
    }

    /// Changes an object's ID.
    func rename(_ object: ManagedObject, to id: ManagedObjectID) {
        guard object.objectID != id else { return }
        forget(object)
        object.objectID = id
        enter(object)
    }

    private func enter(_ object: ManagedObject) {
        registered.insert(object)?.lose(ContextLoss(.replacement, in: nil))
    }

    // MARK: - New objects

    /// Inserts a new object with the model's default values, of the class registered for its entity.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if there is no such entity (`entity.unknown`) or it is abstract
    ///   (`entity.abstract`).
    @discardableResult
    public func insert(into entityName: String) throws(GranaryError) -> ManagedObject {
        insert(try persistentStoreCoordinator.layout(named: entityName))
    }

    /// Inserts a new object of the entity that a class is registered for.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the class is registered for no entity or several, otherwise as
    ///   ``insert(into:)``.
    @discardableResult
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws(GranaryError) -> Object {
        let layouts = layouts.registered(for: type).filter { !$0.entity.isAbstract }
        guard layouts.count == 1, let object = insert(layouts[0]) as? Object else {
            throw GranaryError(
                .usage, "the class \(type) is registered for \(layouts.count) entities; use insert(into:)")
        }
        return object
    }

    /// The name of the entity that a class is registered for.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the class is registered for no concrete entity or several.
    package func entityName(registeredFor type: ManagedObject.Type) throws(GranaryError) -> String {
        let layouts = layouts.registered(for: type).filter { !$0.entity.isAbstract }
        guard layouts.count == 1 else {
            throw GranaryError(.usage, "the class \(type) is registered for \(layouts.count) entities; name the entity")
        }
        return layouts[0].entity.name
    }

    private func insert(_ layout: ObjectLayout) -> ManagedObject {
        let object = makeObject(
            layout, id: persistentStoreCoordinator.temporaryID(entity: layout.index), isFault: false)
        noteInsertion(of: object)
        object.awakeFromInsert()
        return object
    }

    /// Registers an object as inserted, also after a deletion was undone.
    func noteInsertion(of object: ManagedObject) {
        insertionCount += 1
        object.insertionNumber = insertionCount
        object.isInserted = true
        // Hooks of a deleted object may have changed it.
        object.snapshot = nil
        inserted.insert(object)
        changeCount += 1
        object.changeMark = changeCount
        if tracksChanges { pending.inserted.insert(object) }
        object.record(.withdraw(object))
    }

    func forgetChanges() {
        inserted = []
        updated = []
        deleted = []
        discarded = []
        assignments = [:]
    }

    /// Removes an object from the context.
    func letGo(_ object: ManagedObject, _ loss: ContextLoss) {
        forget(object)
        retained.remove(object)
        object.lose(loss)
        object.isInserted = false
        object.isUpdated = false
        object.isDeleted = false
        object.snapshot = nil
    }

    func noteChange(of object: ManagedObject) {
        changeCount += 1
        object.changeMark = changeCount
        if tracksChanges { pending.noteUpdate(of: object) }
        guard !object.isInserted, !object.isUpdated, !object.isDeleted else { return }
        object.isUpdated = true
        updated.insert(object)
    }

    /// Whether the object with an ID is deleted here, or was never saved and no longer exists.
    func isGoing(_ id: ManagedObjectID) -> Bool {
        if let object = registeredObject(for: id) { return object.isDeleted }
        if let parent { return parent.isGoing(id) }
        return id.isTemporaryID
    }
}
