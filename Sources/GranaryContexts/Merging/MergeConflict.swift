import GranaryBase
public import GranaryCoordination

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
