import GranaryBase

/// What a save does about objects that somebody else has changed in the store since they were read (their `Z_OPT` is
/// another), and about unique values that are taken. (`NSMergePolicy`)
///
/// A deletion is carried out under every policy but ``error``, also of an object that was changed meanwhile.
public enum MergePolicy: Sendable, Hashable {
    /// The save is refused, and the error says what the conflicts are. (`NSErrorMergePolicy`)
    case error
    /// Property by property: where both sides have changed one, the store's value stays; other changes are saved. An
    /// object that is gone from the store goes here too. A new object with a stored one's unique value gives way to it; a
    /// changed one keeps the value that it had. (`NSMergeByPropertyStoreTrumpMergePolicy`)
    case mergeByPropertyStoreTrump
    /// Property by property: where both sides have changed one, the value here is saved; what only the store has changed
    /// is taken over. An object that is gone from the store is written again. Of two objects with one unique value the
    /// stored one, which had it first, takes over what was set in the other, and only it stays.
    /// (`NSMergeByPropertyObjectTrumpMergePolicy`)
    case mergeByPropertyObjectTrump
    /// The whole object is written as it is here, also where the store has it no longer. Of two objects with one unique
    /// value the one that was there first takes over every value of the other. (`NSOverwriteMergePolicy`)
    case overwrite
    /// The changes here are given up, for the objects in conflict only. (`NSRollbackMergePolicy`)
    case rollback

    /// Whether what the store has is kept where both sides differ.
    var favorsStore: Bool { self == .mergeByPropertyStoreTrump || self == .rollback }
}

/// What a save found in conflict: the `underlying` of the error that ``ManagedObjectContext/save()`` throws under
/// ``MergePolicy/error``.
public struct SaveConflicts: Error, Sendable, Hashable {
    /// Objects that were changed or deleted in the store since they were read.
    public var mergeConflicts: [MergeConflict]
    /// Unique values that two objects have.
    public var constraintConflicts: [ConstraintConflict]
}

/// An object that is not in the store as it was when it was read. (`NSMergeConflict`)
public struct MergeConflict: Sendable, Hashable {
    /// A property of which the value here and the value in the store differ.
    public struct Property: Sendable, Hashable {
        /// The property's name.
        public var name: String
        /// The value in the context.
        public var objectValue: PropertyValue
        /// The value that the store has now; nil where the object is gone.
        public var storeValue: PropertyValue?
        /// The value that the store had when the object was read.
        public var snapshotValue: PropertyValue
    }

    /// The object.
    public var objectID: ManagedObjectID
    /// Whether the save deletes it.
    public var isDeleted: Bool
    /// The version (`Z_OPT`) that was read. (`NSMergeConflict.oldVersionNumber`)
    public var oldVersion: Int64
    /// The version that the store has now; nil where the object is gone. (`NSMergeConflict.newVersionNumber`)
    public var newVersion: Int64?
    /// What differs, by the model's order: attributes, then to-one relationships.
    public var properties: [Property]
}

/// Two objects with one unique value. (`NSConstraintConflict`)
public struct ConstraintConflict: Sendable, Hashable {
    /// The constraint's properties. (`NSConstraintConflict.constraint`)
    public var constraint: [String]
    /// Their values that both have.
    public var values: [PropertyValue]
    /// The object of the save.
    public var objectID: ManagedObjectID
    /// The other one: of the save too, or of the store. (`NSConstraintConflict.databaseObject`)
    public var otherObjectID: ManagedObjectID
}

extension MergeConflict {
    /// What a refused save says about it (133020).
    func diagnostic(entity: String) -> Diagnostic {
        let what = newVersion == nil ? "was deleted" : "was changed"
        let named = properties.prefix(5).map {
            "\($0.name) is \($0.objectValue.shortText) here"
                + ($0.storeValue.map { ", \($0.shortText) in the store" } ?? "")
        }
        let more = properties.count > 5 ? "; and \(properties.count - 5) more" : ""
        let details = named.isEmpty ? "" : ": " + named.joined(separator: "; ") + more
        return Diagnostic(
            .objectConflict, "\(what) in the store since it was read (\(objectID))\(details)", entity: entity,
            property: properties.count == 1 ? properties[0].name : nil, coreDataCode: 133_020)
    }
}

extension PropertyValue {
    /// The value as diagnostics show it.
    var shortText: String {
        switch self {
        case .attribute(let value): value?.shortText ?? "NULL"
        case .object(let id): id.map { "\($0)" } ?? "NULL"
        case .objects(let ids): "\(ids.count) objects"
        }
    }
}
