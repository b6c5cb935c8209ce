/// An entity of a model: what it is called, what it inherits, what it holds. (`NSEntityDescription`)
public struct EntityDescription: Sendable, Hashable {
    public var name: String
    /// The class of its objects as the model names it; nil for the plain managed object.
    public var managedObjectClassName: String?
    /// Whether it has no objects of its own, only its subentities do.
    public var isAbstract = false
    public var superentityName: String?
    /// Its own properties, in the model's order; inherited ones are not repeated.
    public var attributes: [AttributeDescription] = []
    public var relationships: [RelationshipDescription] = []
    public var fetchedProperties: [FetchedPropertyDescription] = []
    /// Each is a list of attribute or to-one relationship names whose values together occur once.
    public var uniquenessConstraints: [[String]] = []
    public var fetchIndexes: [FetchIndexDescription] = []
    /// The older form of indexes over several properties.
    public var compoundIndexes: [[String]] = []

    /// What code Xcode generates (`class`, `category`); nil for none.
    public var codeGenerationType: String?
    public var isSyncable = false
    public var renamingIdentifier: String?
    public var versionHashModifier: String?
    public var userInfo: [String: String] = [:]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

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
        public enum Kind: String, Sendable, Hashable, Codable {
            case binary = "Binary"
            case rTree = "RTree"
        }

        /// The property; nil where the element is an expression.
        public var propertyName: String?
        /// The expression in its format language; nil where the element is a property.
        public var expression: String?
        public var kind = Kind.binary
        public var isAscending = true
        /// What the source said that Granary has no use for; kept, and written again.
        public var notes: [String: String] = [:]

        public init(propertyName: String?, isAscending: Bool = true) {
            self.propertyName = propertyName
            self.isAscending = isAscending
        }
    }

    public var name: String
    public var elements: [Element]
    /// The predicate of a partial index, in its format language; nil for none.
    public var partialIndexPredicate: String?
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
