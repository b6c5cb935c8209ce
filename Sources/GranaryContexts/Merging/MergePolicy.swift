import GranaryCoordination

/// What a save does about objects that somebody else has changed in the store since they were read (their `Z_OPT` is
/// another), and about unique values that are taken. (`NSMergePolicy`)
///
/// A deletion is carried out under every policy but ``error``, also of an object that was changed meanwhile.
///
/// A custom policy is a closure (``custom(basedOn:_:)``), or a subclass that overrides ``resolve(_:of:)`` and
/// ``resolve(_:of:with:)``. It may set attributes of the object, and returns the policy that resolves the rest.
///
/// ```swift
/// // A counter takes the changes of both sides; every other property keeps its value in the context.
/// context.mergePolicy = .custom { conflict, object in
///     if let visits = conflict.properties.first(where: { $0.name == "visits" }),
///         case (.attribute(.integer(let here)?), .attribute(.integer(let there)?)?, .attribute(.integer(let old)?)) =
///             (visits.objectValue, visits.storeValue, visits.snapshotValue)
///     {
///         try object.setValue(.integer(here + there - old), forKey: "visits")
///     }
///     return .mergeByPropertyObjectTrump
/// }
/// ```
///
/// `@unchecked` because the class is open: its stored properties are constants of `Sendable` types. A subclass must be
/// `Sendable` too.
open class MergePolicy: @unchecked Sendable {
    enum Mode {
        case error, mergeByPropertyStoreTrump, mergeByPropertyObjectTrump, overwrite, rollback

        /// Whether the store's value is kept where both sides have changed one.
        var favorsStore: Bool { self == .mergeByPropertyStoreTrump || self == .rollback }
    }

    let mode: Mode

    /// The policy that it is based on; nil for the standard policies.
    private let base: MergePolicy?

    init(_ mode: Mode) {
        self.mode = mode
        base = nil
    }

    /// For subclasses: methods that are not overridden behave as those of another policy.
    public init(basedOn policy: MergePolicy) {
        mode = policy.mode
        base = policy
    }

    /// Called for each object that somebody else has changed or deleted in the store, outside the store's transaction.
    ///
    /// - Parameter object: the object of the context, which may be changed. Attributes that are set here keep these values,
    ///   whichever policy is returned. When the save fails they get their former values back.
    /// - Returns: the policy that resolves the rest: a standard policy, or one based on it.
    /// - Throws: what the save is to fail with.
    open func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy { base ?? self }

    /// Called for each pair of objects with one unique value.
    ///
    /// - Parameters:
    ///   - object: the object of the save.
    ///   - other: the one that has the value too, of the save or of the store; both may be changed.
    /// - Returns: the policy that settles what is left.
    /// - Throws: what the save is to fail with.
    open func resolve(
        _ conflict: ConstraintConflict, of object: ManagedObject, with other: ManagedObject
    ) throws -> MergePolicy { base ?? self }

    /// The save is refused, and the error says what the conflicts are. (`NSErrorMergePolicy`)
    public static let error = MergePolicy(.error)
    /// Property by property: where both sides have changed one, the store's value stays; other changes are saved. An
    /// object that is gone from the store goes here too. A new object with a stored one's unique value gives way to it; a
    /// changed one keeps the value that it had. (`NSMergeByPropertyStoreTrumpMergePolicy`)
    public static let mergeByPropertyStoreTrump = MergePolicy(.mergeByPropertyStoreTrump)
    /// Property by property: where both sides have changed one, the value here is saved; what only the store has changed
    /// is taken over. An object that is gone from the store is written again. Of two objects with one unique value the
    /// stored one, which had it first, takes over what was set in the other, and only it stays.
    /// (`NSMergeByPropertyObjectTrumpMergePolicy`)
    public static let mergeByPropertyObjectTrump = MergePolicy(.mergeByPropertyObjectTrump)
    /// The whole object is written as it is here, also where the store has it no longer. Of two objects with one unique
    /// value the one that was there first takes over every value of the other. (`NSOverwriteMergePolicy`)
    public static let overwrite = MergePolicy(.overwrite)
    /// The changes here are given up, for the objects in conflict only. (`NSRollbackMergePolicy`)
    public static let rollback = MergePolicy(.rollback)

    /// A policy that is asked for each object in conflict.
    ///
    /// - Parameters:
    ///   - policy: what settles unique values in conflict.
    ///   - resolve: as ``resolve(_:of:)``.
    public static func custom(
        basedOn policy: MergePolicy = .mergeByPropertyObjectTrump,
        _ resolve: @escaping @Sendable (MergeConflict, ManagedObject) throws -> MergePolicy
    ) -> MergePolicy {
        ClosureMergePolicy(basedOn: policy, resolve)
    }
}

/// A policy is equal to itself only.
extension MergePolicy: Hashable {
    public static func == (left: MergePolicy, right: MergePolicy) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MergePolicy: CustomStringConvertible {
    /// The policy that it is, or is based on.
    public var description: String { "\(mode)" }
}

/// `@unchecked` as its superclass is; its only property is a `@Sendable` closure.
private final class ClosureMergePolicy: MergePolicy, @unchecked Sendable {
    private let resolution: @Sendable (MergeConflict, ManagedObject) throws -> MergePolicy

    init(
        basedOn policy: MergePolicy,
        _ resolution: @escaping @Sendable (MergeConflict, ManagedObject) throws -> MergePolicy
    ) {
        self.resolution = resolution
        super.init(basedOn: policy)
    }

    override func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy {
        try resolution(conflict, object)
    }
}
