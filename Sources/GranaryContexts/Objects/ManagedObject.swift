import GranaryBase
public import GranaryCoordination
public import GranaryModel
public import GranaryPredicates

/// An object of a context. (`NSManagedObject`)
///
/// Contexts create objects: `context.insert(into: "Customer")`, `context.fetch(FetchRequest("Customer"))`. An object
/// can also be created first and inserted later (``init(entity:insertInto:)``). Values are read and set by name and
/// checked against the model; setting a relationship updates its inverse. An object belongs to its context and must
/// stay in the same isolation region; pass its ``objectID`` or values to other tasks.
///
/// A fetched object is a fault until a value is first accessed. An object without changes is released when nothing else
/// retains it; fetching it again creates another Swift object with the same ``objectID``.
///
/// Subclasses are registered under the model's class names
/// (``PersistentContainer/init(model:store:classes:transformers:)``). They may override:
/// - ``awakeFromInsert()``, ``awakeFromFetch()``: to set up values of a new or fetched object;
/// - ``willTurnIntoFault()``, ``didTurnIntoFault()``: to release what was set up;
/// - ``willSave()``, ``didSave()``: around every save that the object is part of;
/// - ``prepareForDeletion()``: before the delete rules run;
/// - ``validateForInsert()``, ``validateForUpdate()``, ``validateForDelete()``, ``validateValue(_:forKey:)``: to add
///   rules to those of the model; call `super` first.
open class ManagedObject {
    /// The data from which a context creates an object. A subclass that overrides the initialiser passes it on.
    public struct Creation {
        let layout: ObjectLayout
        let id: ManagedObjectID
        let values: ObjectValues
        let version: Int64
        /// The row of the values; nil for a new object, and for an object of a parent context.
        var row: StoredRow?
        var isFault = false
        /// Nil for an object that is inserted later.
        let context: ManagedObjectContext?
    }

    /// Whether an import may write rows of the class's entities without creating objects. False by default: an import
    /// then calls the methods listed above for each row. Override it with true for a class that overrides none of them,
    /// because an import is many times faster without objects.
    ///
    /// The methods run inside the import's transaction. They must use only the object's own context: another context of
    /// the same container gets an error, and so does `save()`. A record whose object one of them deletes is rejected. For
    /// a changed object, `changedValues()` is empty. The methods of objects that an import deletes
    /// (`ImportOptions.prunes`) are not called.
    open class var importsInBulk: Bool { false }

    /// The names in the model of the class's properties, by their key paths, for conditions and orders that are written
    /// in Swift (``ObjectFields``). Generated classes override it. A final class can override it with a literal:
    ///
    /// ```swift
    /// override class var propertyNames: [AnyKeyPath: String] { [\Book.title: "title", \Book.author: "author"] }
    /// ```
    /// A key path belongs to the class that it is written for: `\Employee.name` and `\Person.name` differ. A class with
    /// subclasses makes the key paths in a generic function, which is called with `Self.self`, and adds them to
    /// `super.propertyNames`. (`\Self.name` in the property itself crashes in Swift 6.3.) An element of a composite
    /// attribute has the name `venue.x`.
    open class var propertyNames: [AnyKeyPath: String] { [:] }

    // Exclusive access is not checked for what each access to a value needs: the methods that change these properties
    // compute the new values first.

    /// It changes when an object that was created without a context is inserted.
    @exclusivity(unchecked) var layout: ObjectLayout
    /// All values of the object, by slot. The links of a to-many relationship are missing until `load(_:)` reads them.
    @exclusivity(unchecked) var values: ObjectValues
    /// The stored values, kept from the first change on; nil if nothing was changed.
    var snapshot: ObjectValues?
    /// `Z_OPT` of the object's row; 0 if it was never saved.
    var version: Int64
    /// The last row read for the object.
    @exclusivity(unchecked) var row: StoredRow?
    /// The sequence number of its insertion into the context.
    var insertionNumber = 0
    /// The context's count of changes when this object last changed.
    var changeMark = 0
    /// Whether ``awakeFromFetch()`` is running, which does not record changes.
    var isAwakening = false
    /// Whether it is a fault that keeps its stored values without a context, after a reset.
    var hasKeptValues = false
    /// Whether a merge found that the object was deleted from the store.
    var isGoneFromStore = false
    /// Whether others have changed it since its deletion here, so that it must be read again if it is restored.
    var hasMissedMerge = false
    /// Whether it was a fault whose row was gone when it was accessed, so that it has no values.
    var isInaccessible = false
    /// Whether the next save writes its row again, because others have deleted it.
    var isRevived = false
    /// The tie to a context if the object is not simply registered in one.
    var tie = ObjectTie.none

    /// The object's ID, which is temporary until the first save or ``ManagedObjectContext/obtainPermanentIDs(for:)``.
    public internal(set) var objectID: ManagedObjectID
    /// Whether its values have not been accessed since it was fetched or refreshed. (`isFault`)
    @exclusivity(unchecked) public internal(set) var isFault: Bool
    /// Whether the object is new and not saved yet.
    public internal(set) var isInserted = false
    /// Whether the object is stored and has changed.
    public internal(set) var isUpdated = false
    /// Whether the next save deletes the object.
    public internal(set) var isDeleted = false {
        didSet { managedObjectContext?.dropRecentList() }
    }

    /// Unretained and not weak: the context replaces it when it is deallocated, and both are in one isolation region.
    /// Retained, a context and its changed objects would retain each other.
    @exclusivity(unchecked) private var contextReference: Unmanaged<ManagedObjectContext>?

    /// The object's context; nil after the context has removed the object, and for an object that was created without
    /// one (``init(entity:insertInto:)``).
    ///
    /// An object does not retain its context, but it can be used as long as it exists: when the context is deallocated,
    /// its unsaved changes are discarded, and its remaining objects go on in a new context for the same stores, which
    /// they retain. New objects that were never saved then have no context.
    public internal(set) var managedObjectContext: ManagedObjectContext? {
        get { contextReference?.takeUnretainedValue() }
        set {
            managedObjectContext?.dropRecentList()
            contextReference = newValue.map(Unmanaged.passUnretained)
        }
    }

    /// Creates an object. Only contexts call it.
    public required init(_ creation: Creation) {
        layout = creation.layout
        values = creation.values
        version = creation.version
        row = creation.row
        isFault = creation.isFault
        objectID = creation.id
        contextReference = creation.context.map(Unmanaged.passUnretained)
    }

    deinit {
        contextReference?.takeUnretainedValue().forget(self)
        detachment?.context?.forget(self)
    }

    /// The object's entity, including inherited properties.
    public var entity: Schema.Entity { layout.entity }

    /// Whether the object is a fault without a row, so that it may not exist in the store.
    var isUnverified: Bool { isFault && row == nil && !isInserted && !isDeleted }

    /// Whether the object has changes to save.
    public var hasChanges: Bool { isInserted || isUpdated || isDeleted }

    // MARK: - For subclasses

    /// Called once, after the object was inserted with its default values.
    open func awakeFromInsert() {}

    /// Called when a value of a fetched object is first accessed. Values set here are not changes, so caches and
    /// transient values can be set up.
    open func awakeFromFetch() {}

    /// Called before the object releases its values, which can still be read.
    open func willTurnIntoFault() {}

    /// Called after the object has released its values.
    open func didTurnIntoFault() {}

    /// Called before a save, also for deleted objects. It is called again if the object changes in it. Objects that it
    /// changes, inserts or deletes take part in the save.
    open func willSave() {}

    /// Called after a successful save.
    open func didSave() {}

    /// Called before the delete rules are applied; ``isDeleted`` is already true.
    open func prepareForDeletion() {}

    /// Validates the object before its first save.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every broken rule; subclasses may throw any
    ///   error.
    open func validateForInsert() throws { try validateProperties() }

    /// Validates a changed object before it is saved.
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForUpdate() throws { try validateProperties() }

    /// Checks whether the object may be deleted. It may not while a relationship with the delete rule deny has other
    /// objects (1600).
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForDelete() throws { try validateDenyRules() }

    /// Checks a value against the rules of an attribute, without setting it.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every broken rule; with code `usage` if
    ///   there is no such attribute.
    open func validateValue(_ value: AttributeValue?, forKey key: String) throws {
        try validateModelRules(value, forKey: key)
    }
}

/// Objects are compared by identity.
extension ManagedObject: Hashable {
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
    /// The entity and the ID.
    public var description: String { "\(entity.name) (\(objectID))" }
}

/// Access to values without change tracking, for accessors of subclasses and ``awakeFromFetch()``.
extension ManagedObject {
    /// Returns the value of an attribute without reading a fault, which returns nil. (`primitiveValue(forKey:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the entity has no attribute of that name.
    public func primitiveValue(forKey key: String) throws -> AttributeValue? {
        values[try attribute(forKey: key).slot].attribute
    }

    /// Sets an attribute without marking the object as changed and without recording undo. The value is written when
    /// the object is saved for another reason. (`setPrimitiveValue(_:forKey:)`)
    ///
    /// - Throws: ``GranaryError``: as ``setValue(_:forKey:)``.
    public func setPrimitiveValue(_ value: AttributeValue?, forKey key: String) throws {
        let attribute = try attribute(forKey: key)
        if let value { try checkType(of: value, for: attribute) }
        if attribute.isPersistent { try refuseLostChange(key) }
        try access()
        managedObjectContext?.policyDecisions?.noteSetting(attribute.slot, of: self)
        values[attribute.slot] = .attribute(value)
    }
}
