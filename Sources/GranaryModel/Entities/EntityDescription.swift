/// An entity of a model: what it is called, what it inherits, what it holds. (`NSEntityDescription`)
public struct EntityDescription: Sendable, Hashable {
    /// Occurs once in a model. Part of the version hash. (`NSEntityDescription.name`)
    public var name: String
    /// The class of its objects as the model names it; nil for the plain managed object.
    public var managedObjectClassName: String?
    /// Whether it has no objects of its own, only its subentities do.
    public var isAbstract = false
    /// The entity it inherits from; nil for a root. (`NSEntityDescription.superentity`)
    public var superentityName: String?
    /// Its own properties, in the model's order; inherited ones are not repeated.
    public var attributes: [AttributeDescription] = []
    /// Its own relationships, in the model's order; inherited ones are not repeated.
    public var relationships: [RelationshipDescription] = []
    /// Its own fetched properties, in the model's order; inherited ones are not repeated.
    public var fetchedProperties: [FetchedPropertyDescription] = []
    /// Each is a list of attribute or to-one relationship names whose values together occur once.
    public var uniquenessConstraints: [[String]] = []
    /// Its own indexes, in the model's order; each name occurs once. (`NSEntityDescription.indexes`)
    public var fetchIndexes: [FetchIndexDescription] = []
    /// The older form of indexes over several properties.
    public var compoundIndexes: [[String]] = []

    /// What code Xcode generates (`class`, `category`); nil for none.
    public var codeGenerationType: String?
    /// The `syncable` mark of the XML; kept, and written again. It changes neither the version hash nor the store.
    public var isSyncable = false
    /// The name in an earlier version of the model; nil where it has not changed. Not part of the version hash.
    /// (`NSEntityDescription.renamingIdentifier`; `elementID` in the XML)
    public var renamingIdentifier: String?
    /// Text that goes into the version hash, so that it changes though nothing else in it did; nil for none.
    /// (`NSEntityDescription.versionHashModifier`)
    public var versionHashModifier: String?
    /// The user's own keys and values. Not part of the version hash. (`NSEntityDescription.userInfo`)
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// An entity without properties and without a superentity.
    public init(name: String) {
        self.name = name
    }

    /// Its own attribute of that name; nil for none.
    public func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    /// Its own relationship of that name; nil for none.
    public func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}

/// An index of an entity's table. (`NSFetchIndexDescription`)
public struct FetchIndexDescription: Sendable, Hashable {
    /// One column or expression of an index.
    public struct Element: Sendable, Hashable {
        /// How the index is built. The raw values are those of the XML. (`NSFetchIndexElementType`)
        public enum Kind: String, Sendable, Hashable, Codable {
            /// A sorted index; the usual kind.
            case binary = "Binary"
            /// An index of ranges of numbers. It is kept in the model, but Granary makes none in a store.
            case rTree = "RTree"
        }

        /// The property; nil where the element is an expression.
        public var propertyName: String?
        /// The expression in its format language; nil where the element is a property.
        public var expression: String?
        /// How the index is built; one element that is an R-tree makes Granary leave out the whole index.
        public var kind = Kind.binary
        /// Whether small values come first. (`NSFetchIndexElementDescription.isAscending`)
        public var isAscending = true
        /// What the source said that Granary has no use for; kept, and written again.
        public var notes: [String: String] = [:]

        /// A sorted element. With nil for the property, set ``expression`` afterwards.
        public init(propertyName: String?, isAscending: Bool = true) {
            self.propertyName = propertyName
            self.isAscending = isAscending
        }
    }

    /// Occurs once in an entity. (`NSFetchIndexDescription.name`)
    public var name: String
    /// What the index sorts by, the most significant first. (`NSFetchIndexDescription.elements`)
    public var elements: [Element]
    /// The predicate of a partial index, in its format language; nil for none.
    public var partialIndexPredicate: String?
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// An index over all objects of the entity.
    public init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
