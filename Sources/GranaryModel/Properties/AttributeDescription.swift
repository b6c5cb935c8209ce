public import GranaryPredicates

/// An attribute of an entity: its type, validation rules and storage. (`NSAttributeDescription`,
/// `NSDerivedAttributeDescription` and `NSCompositeAttributeDescription` in one value.)
public struct AttributeDescription: Sendable, Hashable {
    /// The name, which must be unique among the properties of an entity. Part of the version hash, except for derived
    /// and composite attributes. (`NSPropertyDescription.name`)
    public var name: String
    /// The type of its values. Part of the version hash, except for derived and composite attributes.
    /// (`NSAttributeDescription.attributeType`)
    public var type: AttributeType
    /// Whether NULL is allowed.
    public var isOptional = false
    /// Whether it exists only in memory.
    public var isTransient = false
    /// The index flag from before 2017; Core Data creates a fetch index of one element for it.
    public var isIndexed = false
    /// The initial value in a new object; nil for NULL. Not part of the version hash.
    /// (`NSAttributeDescription.defaultValue`)
    public var defaultValue: AttributeValue?
    /// Whether large values (in Granary: above 102,400 bytes) are stored in files next to an SQLite store. Part of the
    /// version hash. (`NSAttributeDescription.allowsExternalBinaryDataStorage`)
    public var allowsExternalBinaryDataStorage = false
    /// Whether the persistent history keeps the value of a deleted object. Part of the version hash.
    /// (`NSAttributeDescription.preservesValueInHistoryOnDeletion`)
    public var preservesValueInHistoryOnDeletion = false
    /// Whether CloudKit stores the value encrypted. Not part of the version hash.
    /// (`NSAttributeDescription.allowsCloudEncryption`)
    public var allowsCloudEncryption = false
    /// Whether Spotlight indexes it. Not part of the version hash. (`NSPropertyDescription.isIndexedBySpotlight`)
    public var isIndexedBySpotlight = false
    /// Whether Core Data also writes it to external records. Not part of the version hash.
    /// (`NSPropertyDescription.isStoredInExternalRecord`; `storedInTruthFile` in the XML)
    public var isStoredInExternalRecord = false

    /// The minimum length of a String in UTF-16 units, as `NSString` counts; nil for no bound.
    public var minimumLength: Int?
    /// The maximum length of a String in UTF-16 units, inclusive; nil for no bound.
    public var maximumLength: Int?
    /// The minimum of a number or date, inclusive; nil for no bound.
    public var minimumValue: AttributeValue?
    /// The maximum of a number or date, inclusive; nil for no bound.
    public var maximumValue: AttributeValue?
    /// An ICU regular expression that a String must match as a whole.
    public var regularExpression: String?
    /// Predicates that the value must satisfy; `SELF` is the value.
    public var validationRules: [ValidationRule] = []

    /// The name of a Transformable attribute's value transformer; nil for Core Data's secure transformer.
    public var valueTransformerName: String?
    /// The name of the Swift or Objective-C class of a Transformable attribute's value.
    public var valueClassName: String?
    /// The name of a Composite attribute's composite in ``ManagedObjectModel/composites``.
    public var compositeName: String?
    /// The expression of a derived attribute, such as `pages.@count`; nil for other attributes.
    public var derivationExpression: String?

    /// Whether generated accessors use a scalar type; nil if the model omits it.
    public var usesScalarValueType: Bool?
    /// The `syncable` attribute of the XML. It is kept and written back, without effect on the version hash or the
    /// store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil if it has not changed.
    /// (`NSPropertyDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Text that is added to the version hash to change it; nil if there is none. It has no effect on derived and
    /// composite attributes. (`NSPropertyDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// Keys and values of the user. Not part of the version hash. (`NSPropertyDescription.userInfo`)
    public var userInfo: [String: UserInfoValue] = [:]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A required attribute without default value and rules.
    public init(name: String, type: AttributeType) {
        self.name = name
        self.type = type
    }
}
