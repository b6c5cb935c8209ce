public import Foundation
import GranaryBase
public import GranaryCoordination

/// The conflicts of a save: the `underlying` of the error that ``ManagedObjectContext/save()`` throws under
/// ``MergePolicy/error``.
public struct SaveConflicts: Error, Sendable, Hashable {
    /// The objects that were changed or deleted in the store since they were read.
    public var mergeConflicts: [MergeConflict]
    /// The pairs of objects with the same unique value.
    public var constraintConflicts: [ConstraintConflict]
}

extension SaveConflicts: LocalizedError, CustomNSError {
    public static var errorDomain: String { "NSCocoaErrorDomain" }

    /// 133020 (NSManagedObjectMergeError), or 133021 (NSManagedObjectConstraintMergeError) if only unique values
    /// conflict.
    public var errorCode: Int { mergeConflicts.isEmpty ? 133_021 : 133_020 }

    /// `conflictList`: the ``MergeConflict``s and ``ConstraintConflict``s.
    public var errorUserInfo: [String: Any] {
        [
            "conflictList": mergeConflicts.map { $0 as Any } + constraintConflicts.map { $0 as Any },
            NSLocalizedDescriptionKey: errorDescription ?? "",
        ]
    }

    public var errorDescription: String? {
        let objects = mergeConflicts.map { "\($0.objectID): \($0.message)" }
        let values = constraintConflicts.map {
            "\($0.objectID) and \($0.otherObjectID) have the same \($0.constraint.joined(separator: ", ")): "
                + $0.values.map(\.shortText).joined(separator: ", ")
        }
        return (objects + values).joined(separator: "\n")
    }
}

/// An object that was changed or deleted in the store after it was read. (`NSMergeConflict`)
public struct MergeConflict: Sendable, Hashable {
    /// A property whose values in the context and the store differ.
    public struct Property: Sendable, Hashable {
        /// The property's name.
        public var name: String
        /// The value in the context.
        public var objectValue: PropertyValue
        /// The current value in the store; nil if the object was deleted.
        public var storeValue: PropertyValue?
        /// The value in the store when the object was read.
        public var snapshotValue: PropertyValue
    }

    /// The object.
    public var objectID: ManagedObjectID
    /// Whether the save deletes it.
    public var isDeleted: Bool
    /// The version (`Z_OPT`) that was read. (`NSMergeConflict.oldVersionNumber`)
    public var oldVersion: Int64
    /// The current version in the store; nil if the object was deleted. (`NSMergeConflict.newVersionNumber`)
    public var newVersion: Int64?
    /// The properties that differ, in the model's order: attributes, then to-one relationships.
    public var properties: [Property]
}

/// Two objects with the same unique value. (`NSConstraintConflict`)
public struct ConstraintConflict: Sendable, Hashable {
    /// The constraint's properties. (`NSConstraintConflict.constraint`)
    public var constraint: [String]
    /// The values that both objects have.
    public var values: [PropertyValue]
    /// The object of the save.
    public var objectID: ManagedObjectID
    /// The other object, of the save or of the store. (`NSConstraintConflict.databaseObject`)
    public var otherObjectID: ManagedObjectID
}

extension MergeConflict {
    /// The diagnostic of the conflict (133020).
    func diagnostic(entity: String) -> Diagnostic {
        Diagnostic(
            .objectConflict, "\(message) (\(objectID))", entity: entity,
            property: properties.count == 1 ? properties[0].name : nil, object: "\(objectID.uriRepresentation)",
            coreDataCode: 133_020)
    }

    /// `was changed in the store since it was read: name is "a" here, "b" in the store`
    var message: String {
        let what = newVersion == nil ? "was deleted" : "was changed"
        let named = properties.prefix(5).map {
            "\($0.name) is \($0.objectValue.shortText) here"
                + ($0.storeValue.map { ", \($0.shortText) in the store" } ?? "")
        }
        let more = properties.count > 5 ? "; and \(properties.count - 5) more" : ""
        let details = named.isEmpty ? "" : ": " + named.joined(separator: "; ") + more
        return "\(what) in the store since it was read\(details)"
    }
}

extension PropertyValue {
    /// The value in diagnostics.
    var shortText: String {
        switch self {
        case .attribute(let value): value?.shortText ?? "NULL"
        case .object(let id): id.map { "\($0)" } ?? "NULL"
        case .objects(let ids): "\(ids.count) objects"
        }
    }
}
