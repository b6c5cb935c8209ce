import GranaryCoordination

/// How a save resolves conflicts: objects that others have changed in the store since they were read (their `Z_OPT`
/// differs), and duplicate unique values. (`NSMergePolicy`)
///
/// Every policy except ``error`` deletes an object even if it was changed in the store.
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

        /// Whether the store's value wins if both sides changed it.
        var favorsStore: Bool { self == .mergeByPropertyStoreTrump || self == .rollback }
    }

    let mode: Mode

    /// The policy that this one is based on; nil for the standard policies.
    private let base: MergePolicy?

    init(_ mode: Mode) {
        self.mode = mode
        base = nil
    }

    /// Creates a policy in a subclass. Methods that are not overridden behave like those of `policy`.
    public init(basedOn policy: MergePolicy) {
        mode = policy.mode
        base = policy
    }

    /// Called for each object that others have changed or deleted in the store, outside the store's transaction.
    ///
    /// - Parameter object: the object in the context, which may be changed. Attributes set here keep these values,
    ///   whichever policy is returned. If the save fails they get their former values back.
    /// - Returns: the policy that resolves the rest: a standard policy, or one based on it.
    /// - Throws: the error that the save should throw.
    open func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy { base ?? self }

    /// Called for each pair of objects with the same unique value.
    ///
    /// - Parameters:
    ///   - object: the object of the save.
    ///   - other: the other object, of the save or of the store; both may be changed.
    /// - Returns: the policy that resolves the rest.
    /// - Throws: the error that the save should throw.
    open func resolve(
        _ conflict: ConstraintConflict, of object: ManagedObject, with other: ManagedObject
    ) throws -> MergePolicy { base ?? self }

    /// The save fails; the error describes the conflicts. (`NSErrorMergePolicy`)
    public static let error = MergePolicy(.error)
    /// Merges by property. If both sides changed a property, the store's value wins; other changes are saved. An object
    /// that was deleted from the store is deleted here too. A new object with a stored object's unique value is merged
    /// into it; a changed object keeps its former value. (`NSMergeByPropertyStoreTrumpMergePolicy`)
    public static let mergeByPropertyStoreTrump = MergePolicy(.mergeByPropertyStoreTrump)
    /// Merges by property. If both sides changed a property, the context's value wins; other changes of the store are
    /// kept. An object that was deleted from the store is written again. Of two objects with the same unique value, the
    /// stored or earlier one receives the changed values of the other, which is deleted.
    /// (`NSMergeByPropertyObjectTrumpMergePolicy`)
    public static let mergeByPropertyObjectTrump = MergePolicy(.mergeByPropertyObjectTrump)
    /// Writes the whole object with the context's values, even if it was deleted from the store. Of two objects with
    /// the same unique value, the earlier one receives all values of the other. (`NSOverwriteMergePolicy`)
    public static let overwrite = MergePolicy(.overwrite)
    /// Discards the context's changes of the objects in conflict. (`NSRollbackMergePolicy`)
    public static let rollback = MergePolicy(.rollback)

    /// Creates a policy from a closure that is called for each object in conflict.
    ///
    /// - Parameters:
    ///   - policy: resolves conflicts of unique values.
    ///   - resolve: resolves a conflict like ``resolve(_:of:)``.
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
    /// The name of the standard policy that it is or is based on.
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
