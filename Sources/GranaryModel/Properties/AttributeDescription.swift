/// An attribute of an entity: its type, what it may hold, and how it is kept. (`NSAttributeDescription`,
/// `NSDerivedAttributeDescription` and `NSCompositeAttributeDescription` in one value.)
public struct AttributeDescription: Sendable, Hashable {
    public var name: String
    public var type: AttributeType
    /// Whether NULL is allowed.
    public var isOptional = false
    /// Whether it lives in memory only.
    public var isTransient = false
    /// The pre-2017 flag; Core Data makes a fetch index of one element out of it.
    public var isIndexed = false
    public var defaultValue: AttributeValue?
    public var allowsExternalBinaryDataStorage = false
    public var preservesValueInHistoryOnDeletion = false
    public var allowsCloudEncryption = false
    public var isIndexedBySpotlight = false
    public var isStoredInExternalRecord = false

    /// Bounds of a String's length in UTF-16 units, as `NSString` counts.
    public var minimumLength: Int?
    public var maximumLength: Int?
    /// Bounds, both included, of a number or a date.
    public var minimumValue: AttributeValue?
    public var maximumValue: AttributeValue?
    /// An ICU expression that a String must match from its first to its last character.
    public var regularExpression: String?
    /// Further rules; `SELF` is the attribute's value.
    public var validationRules: [ValidationRule] = []

    /// The transformer of a Transformable attribute; nil means Core Data's secure one.
    public var valueTransformerName: String?
    /// The Swift or Objective-C class of a Transformable attribute's value.
    public var valueClassName: String?
    /// The named composite (``ManagedObjectModel/composites``) whose elements a Composite attribute has.
    public var compositeName: String?
    /// What a derived attribute is computed from, such as `pages.@count`; nil for all others.
    public var derivationExpression: String?

    /// Whether generated accessors use a scalar type; nil where the model does not say.
    public var usesScalarValueType: Bool?
    public var isSyncable = false
    /// The name in an earlier version of the model.
    public var renamingIdentifier: String?
    public var versionHashModifier: String?
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, type: AttributeType) {
        self.name = name
        self.type = type
    }
}

/// A predicate that a value must satisfy, and what to say when it does not.
public struct ValidationRule: Sendable, Hashable, Codable {
    public var predicate: ObjectPredicate
    public var message: String

    public init(predicate: ObjectPredicate, message: String) {
        self.predicate = predicate
        self.message = message
    }
}
