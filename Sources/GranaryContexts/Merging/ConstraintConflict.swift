public import GranaryCoordination

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
