public import Foundation
import GranaryBase
import GranaryCoordination

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
