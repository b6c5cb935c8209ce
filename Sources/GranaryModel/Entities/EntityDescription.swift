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
    public var userInfo: [String: String] = [:]
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

/// An index of an entity's table. (`NSFetchIndexDescription`)
public struct FetchIndexDescription: Sendable, Hashable {
    /// One column or expression of an index.
    public struct Element: Sendable, Hashable {
        /// The type of an index. The raw values are those of the XML. (`NSFetchIndexElementType`)
        public enum Kind: String, Sendable, Hashable, Codable {
            /// A sorted index; the usual kind.
            case binary = "Binary"
            /// An index of ranges of numbers. It is kept in the model, but Granary does not create it in stores.
            case rTree = "RTree"
        }

        /// The property; nil if the element is an expression.
        public var propertyName: String?
        /// The expression in the predicate format language; nil if the element is a property.
        public var expression: String?
        /// The type of the index. Granary does not create an index in stores if one of its elements is an R-tree.
        public var kind = Kind.binary
        /// Whether the order is ascending. (`NSFetchIndexElementDescription.isAscending`)
        public var isAscending = true
        /// Data of the source that Granary does not interpret. It is kept and written back.
        public var notes: [String: String] = [:]

        /// A sorted element. With nil for the property, set ``expression`` afterwards.
        public init(propertyName: String?, isAscending: Bool = true) {
            self.propertyName = propertyName
            self.isAscending = isAscending
        }
    }

    /// The name, which must be unique in an entity. (`NSFetchIndexDescription.name`)
    public var name: String
    /// The sort columns, the most significant first. (`NSFetchIndexDescription.elements`)
    public var elements: [Element]
    /// The predicate of a partial index, in the predicate format language; nil if there is none.
    public var partialIndexPredicate: String?
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// An index over all objects of the entity.
    public init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
