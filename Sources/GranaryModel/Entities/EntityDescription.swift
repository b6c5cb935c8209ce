/// An entity of a model, with its properties and its superentity. (`NSEntityDescription`)
public struct EntityDescription: Sendable, Hashable {
    /// The name, which must be unique in a model. Part of the version hash. (`NSEntityDescription.name`)
    public var name: String
    /// The name of the class of its objects; nil for the plain managed object.
    public var managedObjectClassName: String?
    /// Whether it is abstract: only its subentities have objects.
    public var isAbstract = false
    /// The name of its superentity; nil for a root. (`NSEntityDescription.superentity`)
    public var superentityName: String?
    /// Its own attributes, in the model's order; inherited ones are not repeated.
    public var attributes: [AttributeDescription] = []
    /// Its own relationships, in the model's order; inherited ones are not repeated.
    public var relationships: [RelationshipDescription] = []
    /// Its own fetched properties, in the model's order; inherited ones are not repeated.
    public var fetchedProperties: [FetchedPropertyDescription] = []
    /// The uniqueness constraints: each is a list of names of attributes or to-one relationships whose values together
    /// must be unique.
    public var uniquenessConstraints: [[String]] = []
    /// Its own indexes with unique names, in the model's order. (`NSEntityDescription.indexes`)
    public var fetchIndexes: [FetchIndexDescription] = []
    /// The compound indexes, an older form of indexes over several properties.
    public var compoundIndexes: [[String]] = []

    /// The kind of code that Xcode generates (`class`, `category`); nil if there is none.
    public var codeGenerationType: String?
    /// The `syncable` attribute of the XML. It is kept and written back, without effect on the version hash or the
    /// store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil if it has not changed. Not part of the version hash.
    /// (`NSEntityDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Text that is added to the version hash to change it; nil if there is none.
    /// (`NSEntityDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// Keys and values of the user. Not part of the version hash. (`NSEntityDescription.userInfo`)
    public var userInfo: [String: UserInfoValue] = [:]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// An entity without properties and without a superentity.
    public init(name: String) {
        self.name = name
    }

    /// Its own attribute with a name; nil if there is none.
    public func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    /// Its own relationship with a name; nil if there is none.
    public func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}
