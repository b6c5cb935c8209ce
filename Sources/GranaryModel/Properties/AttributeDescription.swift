/// An attribute of an entity: its type, what it may hold, and how it is kept. (`NSAttributeDescription`,
/// `NSDerivedAttributeDescription` and `NSCompositeAttributeDescription` in one value.)
public struct AttributeDescription: Sendable, Hashable {
    /// Occurs once among the properties of an entity. Part of the version hash, but for derived and composite
    /// attributes. (`NSPropertyDescription.name`)
    public var name: String
    /// What it holds. Part of the version hash, but for derived and composite attributes.
    /// (`NSAttributeDescription.attributeType`)
    public var type: AttributeType
    /// Whether NULL is allowed.
    public var isOptional = false
    /// Whether it lives in memory only.
    public var isTransient = false
    /// The pre-2017 flag; Core Data makes a fetch index of one element out of it.
    public var isIndexed = false
    /// The value that a new object starts with, of the attribute's type; nil for NULL. Not part of the version hash.
    /// (`NSAttributeDescription.defaultValue`)
    public var defaultValue: AttributeValue?
    /// Whether large values (Granary: above 102,400 bytes) lie in files beside an SQLite store. Part of the version hash.
    /// (`NSAttributeDescription.allowsExternalBinaryDataStorage`)
    public var allowsExternalBinaryDataStorage = false
    /// Whether the persistent history keeps the value of a deleted object. Part of the version hash.
    /// (`NSAttributeDescription.preservesValueInHistoryOnDeletion`)
    public var preservesValueInHistoryOnDeletion = false
    /// Whether CloudKit keeps the value encrypted. Not part of the version hash.
    /// (`NSAttributeDescription.allowsCloudEncryption`)
    public var allowsCloudEncryption = false
    /// Whether Spotlight finds objects by it. Not part of the version hash.
    /// (`NSPropertyDescription.isIndexedBySpotlight`)
    public var isIndexedBySpotlight = false
    /// Whether Core Data writes it to external records too. Not part of the version hash.
    /// (`NSPropertyDescription.isStoredInExternalRecord`; `storedInTruthFile` in the XML)
    public var isStoredInExternalRecord = false

    /// Bounds of a String's length in UTF-16 units, as `NSString` counts.
    public var minimumLength: Int?
    /// The largest length of a String in UTF-16 units, included; nil for no bound.
    public var maximumLength: Int?
    /// Bounds, both included, of a number or a date.
    public var minimumValue: AttributeValue?
    /// The largest number or latest date, included; nil for no bound.
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
    /// The `syncable` mark of the XML; kept, and written again. It changes neither the version hash nor the store.
    public var isSyncable = false
    /// The name in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that goes into the version hash, so that it changes though nothing else in it did; nil for none.
    /// Without effect on a derived or composite attribute. (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// The user's own keys and values. Not part of the version hash. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// A required attribute without default and rules.
    public init(name: String, type: AttributeType) {
        self.name = name
        self.type = type
    }
}

/// A predicate that a value must satisfy, and what to say when it does not.
public struct ValidationRule: Sendable, Hashable, Codable {
    /// What must be true; `SELF` is the value. NULL is not tested.
    /// (`NSPropertyDescription.validationPredicates`)
    public var predicate: ObjectPredicate
    /// What the error says; empty for the text of the predicate. (`NSPropertyDescription.validationWarnings`)
    public var message: String

    /// A rule for ``AttributeDescription/validationRules``.
    public init(predicate: ObjectPredicate, message: String) {
        self.predicate = predicate
        self.message = message
    }
}
