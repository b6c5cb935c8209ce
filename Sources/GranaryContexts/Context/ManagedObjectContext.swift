import Foundation
public import GranaryBase
public import GranaryCoordination
import GranaryModel

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
    /// What the context reads from and saves to in the end; other contexts may share it.
    /// (`NSManagedObjectContext.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator
    /// The context that this one reads from and saves to; nil where that is the stores.
    /// (`NSManagedObjectContext.parent`)
    public let parent: ManagedObjectContext?
    /// What the context is called in a store's history. (`NSManagedObjectContext.name`)
    public var name: String?
    /// Who makes its changes, for a store's history. (`NSManagedObjectContext.transactionAuthor`)
    public var transactionAuthor: String?
    /// Values that the program attaches to the context. (`NSManagedObjectContext.userInfo`)
    public var userInfo: [String: Any] = [:]
    /// What a save does about objects that somebody else has changed in the store meanwhile.
    /// (`NSManagedObjectContext.mergePolicy`)
    public var mergePolicy = MergePolicy.error
    /// How long rows that were read may be used again when an object that was turned into a fault is asked for its
    /// values; nil for as long as no save of this coordinator has changed the stores.
    /// (`NSManagedObjectContext.stalenessInterval`, where -1 is nil)
    public var stalenessInterval: Duration?
    /// Whether what other contexts of the container save is merged in by itself: at the next fetch, save,
    /// ``processPendingChanges()`` or `perform`. A child merges at once what its parent or a sibling saves. (`automaticallyMergesChangesFromParent`)
    public var automaticallyMergesChangesFromParent = false {
        didSet {
            guard oldValue != automaticallyMergesChangesFromParent else { return }
            mailbox = automaticallyMergesChangesFromParent ? subscribe() : nil
        }
    }
    /// Whether objects stay registered though nobody holds them. (`retainsRegisteredObjects`)
    public var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? registeredObjects : [] }
    }
    /// Records changes so that they can be undone; nil, as at first, for none. A manager serves one context.
    /// (`NSManagedObjectContext.undoManager`)
    public var undoManager: ObjectUndoManager? {
        didSet {
            if oldValue !== undoManager { oldValue?.detach() }
            undoManager?.attach(to: self)
        }
    }

    /// The coordinator's layouts.
    let layouts: ObjectLayouts
    /// Every object that the context knows, by its ID. Not counted: an object takes itself out when it goes.
    private var registered: [ManagedObjectID: Unmanaged<ManagedObject>] = [:]
    /// The registered objects, where they are to stay.
    var retained: Set<ManagedObject> = []
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    /// Objects inserted and deleted again before any save.
    var discarded: Set<ManagedObject> = []
    /// The stores that new objects were assigned to, by their UUID.
    var assignments: [ManagedObject: String] = [:]
    /// Counts changes of objects: who changed since when.
    var changeCount = 0
    /// Deleted objects whose delete rules have not run yet.
    var pendingDeletions: [ManagedObject] = []
    var isDeleting = false
    /// What was not announced yet.
    var pending = PendingChanges()
    var observers: [Int: (ObjectChanges) -> Void] = [:]
    var observerCount = 0
    /// What others saved and this context has not merged yet; nil where it does not want to know.
    var mailbox: SaveMailbox?
    /// Objects that a merge has brought, until somebody has had time to take hold of them.
    var merged: [ManagedObject] = []
    var children: [WeakContext] = []
    private var insertionCount = 0
    /// The attributes that a merge policy sets; nil except while a policy runs.
    var policyDecisions: PolicyDecisions?
    var exclusiveOwners: [ExclusiveLink: ManagedObjectID] = [:]
    var exclusiveOwnerLimit = 1024

    /// A context on a coordinator's stores. Most get theirs from a ``PersistentContainer``.
    public convenience init(_ coordinator: PersistentStoreCoordinator) { self.init(coordinator: coordinator) }

    init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil) {
        persistentStoreCoordinator = coordinator
        layouts = coordinator.layouts
        self.parent = parent
        parent?.adopt(child: self)
    }

    deinit {
        for object in registered.values { object.takeUnretainedValue().managedObjectContext = nil }
    }

    /// All objects that the context knows.
    public var registeredObjects: Set<ManagedObject> { Set(registered.values.map { $0.takeUnretainedValue() }) }
    /// The objects that the next save adds to the store.
    public var insertedObjects: Set<ManagedObject> { inserted }
    /// The stored objects that were changed.
    public var updatedObjects: Set<ManagedObject> { updated }
    /// The stored objects that the next save removes.
    public var deletedObjects: Set<ManagedObject> { deleted }
    /// Whether there is anything to save.
    public var hasChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    // MARK: - Registered objects

    /// The object of an ID when the context knows it already, also a deleted one.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? { registered[id]?.takeUnretainedValue() }

    func register(_ object: ManagedObject) {
        if let other = registeredObject(for: object.objectID), other !== object { other.managedObjectContext = nil }
        registered[object.objectID] = Unmanaged.passUnretained(object)
        if retainsRegisteredObjects { retained.insert(object) }
    }

    /// An object goes: nobody holds it.
    func forget(_ object: ManagedObject) {
        guard registered[object.objectID]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else { return }
        registered[object.objectID] = nil
    }

    /// Gives an object its new ID.
    func rename(_ object: ManagedObject, to id: ManagedObjectID) {
        guard object.objectID != id else { return }
        forget(object)
        object.objectID = id
        registered[id] = Unmanaged.passUnretained(object)
    }

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
        let layouts = layouts.all.filter { $0.objectClass == type && !$0.entity.isAbstract }
        guard layouts.count == 1, let object = insert(layouts[0]) as? Object else {
            throw GranaryError(
                .usage, "the class \(type) is registered for \(layouts.count) entities; use insert(into:)")
        }
        return object
    }

    private func insert(_ layout: ObjectLayout) -> ManagedObject {
        let object = layout.objectClass.init(
            ManagedObject.Creation(
                layout: layout, id: persistentStoreCoordinator.temporaryID(entity: layout.index),
                values: ObjectValues(layout.defaults), version: 0, context: self))
        register(object)
        noteInsertion(of: object)
        object.awakeFromInsert()
        return object
    }

    /// The object is new, or new again.
    func noteInsertion(of object: ManagedObject) {
        insertionCount += 1
        object.insertionNumber = insertionCount
        object.isInserted = true
        // A deleted object's hooks may have changed it.
        object.snapshot = nil
        inserted.insert(object)
        changeCount += 1
        object.changeMark = changeCount
        if !observers.isEmpty { pending.inserted.insert(object) }
        object.record(.withdraw(object))
    }

    func forgetChanges() {
        inserted = []
        updated = []
        deleted = []
        discarded = []
        assignments = [:]
    }

    /// The object is the context's no longer.
    func letGo(_ object: ManagedObject) {
        forget(object)
        retained.remove(object)
        object.managedObjectContext = nil
        object.isInserted = false
        object.isUpdated = false
        object.isDeleted = false
        object.snapshot = nil
    }

    func noteChange(of object: ManagedObject) {
        changeCount += 1
        object.changeMark = changeCount
        if !observers.isEmpty { pending.noteUpdate(of: object) }
        guard !object.isInserted, !object.isUpdated, !object.isDeleted else { return }
        object.isUpdated = true
        updated.insert(object)
    }

    /// Whether the object of that ID is deleted here, or was never saved and is gone.
    func isGoing(_ id: ManagedObjectID) -> Bool {
        if let object = registeredObject(for: id) { return object.isDeleted }
        if let parent { return parent.isGoing(id) }
        return id.isTemporaryID
    }
}
