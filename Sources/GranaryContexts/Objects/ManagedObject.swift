import GranaryBase
public import GranaryCoordination
public import GranaryModel

/// An object of a context. (`NSManagedObject`)
///
/// Contexts make objects: `context.insert(into: "Customer")`, `context.fetch(FetchRequest("Customer"))`. Values are
/// read and set by name, each checked against the model; relationships keep their inverses right. An object belongs to
/// its context and, like it, to one thread: what leaves is its ``objectID`` or values.
///
/// A fetched object is a fault: its values are looked at when they are first asked for. An object that nobody holds
/// goes away, unless it has changes; fetched again it is another Swift object of the same ``objectID``.
///
/// Subclasses are registered under the model's class names (``PersistentContainer/init(model:store:classes:transformers:)``). They
/// may override:
/// - ``awakeFromInsert()``, ``awakeFromFetch()``: to set up values when the object comes to life;
/// - ``willTurnIntoFault()``, ``didTurnIntoFault()``: to let go of what was set up;
/// - ``willSave()``, ``didSave()``: around every save that the object is part of;
/// - ``prepareForDeletion()``: before the delete rules run;
/// - ``validateForInsert()``, ``validateForUpdate()``, ``validateForDelete()``, ``validateValue(_:forKey:)``: to add
///   rules to those of the model; call `super` first.
open class ManagedObject {
    /// What a context makes an object from. A subclass that overrides the initialiser passes it on.
    public struct Creation {
        let layout: ObjectLayout
        let id: ManagedObjectID
        let values: ObjectValues
        let version: Int64
        /// The row that the values are read from; nil for a new object, and for one of a parent context.
        var row: StoredRow?
        var isFault = false
        let context: ManagedObjectContext
    }

    let layout: ObjectLayout
    /// All that the object holds, by slot; there is no other door to it. The links of a to-many relationship are not
    /// there until `load(_:)` reads them.
    var values: ObjectValues
    /// The values as the store has them, from the first change on; nil while nothing was changed.
    var snapshot: ObjectValues?
    /// `Z_OPT` of the row it was made from; 0 for one never saved.
    var version: Int64
    /// The last row read for it.
    var row: StoredRow?
    /// Its place among the objects inserted into the context.
    var insertionNumber = 0
    /// The context's count of changes when this object last changed.
    var changeMark = 0
    /// While ``awakeFromFetch()`` runs, changes are no changes.
    var isAwakening = false
    /// Whether a reset has left it the values that the store had: it is a fault that needs no context.
    var hasKeptValues = false
    /// Whether a merge has told that the store has it no longer.
    var isGoneFromStore = false
    /// Whether the next save writes its row anew, because somebody else has removed it.
    var isRevived = false

    /// Its name: temporary until the first save or ``ManagedObjectContext/obtainPermanentIDs(for:)``.
    public internal(set) var objectID: ManagedObjectID
    /// Whether its values have not been asked for since it was fetched or refreshed. (`isFault`)
    public internal(set) var isFault: Bool
    /// Whether it is new and not saved yet.
    public internal(set) var isInserted = false
    /// Whether it was saved before and has changed since.
    public internal(set) var isUpdated = false
    /// Whether the next save removes it.
    public internal(set) var isDeleted = false

    /// Not counted and not weak: the context clears it when it goes, and both are in one isolation region. A weak
    /// reference would cost an allocation for every object.
    private var contextReference: Unmanaged<ManagedObjectContext>?

    /// The context it belongs to; nil once the context is gone or has let go of it.
    public internal(set) var managedObjectContext: ManagedObjectContext? {
        get { contextReference?.takeUnretainedValue() }
        set { contextReference = newValue.map(Unmanaged.passUnretained) }
    }

    /// Called by contexts only.
    public required init(_ creation: Creation) {
        layout = creation.layout
        values = creation.values
        version = creation.version
        row = creation.row
        isFault = creation.isFault
        objectID = creation.id
        contextReference = Unmanaged.passUnretained(creation.context)
    }

    deinit { contextReference?.takeUnretainedValue().forget(self) }

    /// The entity it is an object of, with all that it inherits.
    public var entity: Schema.Entity { layout.entity }

    /// Whether it is a fault for which nothing was read, so that the store may not have the object.
    var isUnverified: Bool { isFault && row == nil && !isInserted && !isDeleted }

    /// Whether the next save has to do with it.
    public var hasChanges: Bool { isInserted || isUpdated || isDeleted }

    // MARK: - For subclasses

    /// Called once in an object's life, right after it was inserted; its default values are there.
    open func awakeFromInsert() {}

    /// Called when the values of a fetched object are first asked for. What is set here is no change, so that caches and
    /// transient values can be set up.
    open func awakeFromFetch() {}

    /// Called before the object lets go of its values; they can still be read.
    open func willTurnIntoFault() {}

    /// Called when the object has let go of its values.
    open func didTurnIntoFault() {}

    /// Called before a save, also on objects that it deletes. An object that changes here is called again, and objects
    /// that it changes, inserts or deletes take part in the save.
    open func willSave() {}

    /// Called after a save that has succeeded.
    open func didSave() {}

    /// Called when the object is being deleted, before the delete rules run; ``isDeleted`` is true already.
    open func prepareForDeletion() {}

    /// Checks the object before its first save.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every rule that is broken; a subclass may
    ///   throw what it likes.
    open func validateForInsert() throws { try validateProperties() }

    /// Checks a changed object before it is saved.
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForUpdate() throws { try validateProperties() }

    /// Checks whether the object may be deleted: not while a relationship with the rule deny still has objects that
    /// stay (1600).
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForDelete() throws { try validateDenyRules() }

    /// Checks a value against the rules of an attribute, without setting it.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every rule that is broken; with code
    ///   `usage` when there is no such attribute.
    open func validateValue(_ value: AttributeValue?, forKey key: String) throws {
        try validateModelRules(value, forKey: key)
    }
}

/// Objects are equal when they are the same object.
extension ManagedObject: Hashable {
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
    /// The entity and the ID.
    public var description: String { "\(entity.name) (\(objectID))" }
}

/// Values past the tracking of changes, for a subclass's own accessors and for ``awakeFromFetch()``.
extension ManagedObject {
    /// The value of an attribute, without reading it from the store: nil while the object is a fault.
    /// (`primitiveValue(forKey:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the entity has no attribute of that name.
    public func primitiveValue(forKey key: String) throws -> AttributeValue? {
        values[try attribute(forKey: key).slot].attribute
    }

    /// Sets an attribute without telling the context: the object is not marked as changed, nothing is recorded for
    /// undo. It is written when the object is saved for another reason. (`setPrimitiveValue(_:forKey:)`)
    ///
    /// - Throws: ``GranaryError``: as ``setValue(_:forKey:)``.
    public func setPrimitiveValue(_ value: AttributeValue?, forKey key: String) throws {
        let attribute = try attribute(forKey: key)
        if let value { try checkType(of: value, for: attribute) }
        try fire()
        managedObjectContext?.policyDecisions?.noteSetting(attribute.slot, of: self)
        values[attribute.slot] = .attribute(value)
    }
}
