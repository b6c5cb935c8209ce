/// A property of an entity, for `EntityDescription.init(_:_:)`.
public enum PropertyDescription: Sendable, Hashable {
    /// A plain, derived or composite attribute. (`NSAttributeDescription`)
    case attribute(AttributeDescription)
    /// A to-one or to-many relationship. (`NSRelationshipDescription`)
    case relationship(RelationshipDescription)
    /// A fetched property. (`NSFetchedPropertyDescription`)
    case fetchedProperty(FetchedPropertyDescription)
}

extension PropertyDescription {
    /// An attribute, which is optional without ``AttributeOption/required``.
    ///
    /// ```swift
    /// .attribute("name", .string, .required, .indexed, .length(1...80))
    /// ```
    public static func attribute(_ name: String, _ type: AttributeType, _ options: AttributeOption...) -> Self {
        var attribute = AttributeDescription(name: name, type: type)
        attribute.isOptional = true
        for option in options { option.apply(&attribute) }
        return .attribute(attribute)
    }

    /// A to-one relationship, by default optional with the delete rule `nullify`.
    public static func toOne(
        _ name: String, _ destination: String, inverse: String?, _ options: RelationshipOption...
    ) -> Self {
        relationship(name, destination, inverse, maxCount: 1, options)
    }

    /// A to-many relationship, by default optional with the delete rule `nullify`.
    public static func toMany(
        _ name: String, _ destination: String, inverse: String?, _ options: RelationshipOption...
    ) -> Self {
        relationship(name, destination, inverse, maxCount: 0, options)
    }

    /// A property whose value is the result of a fetch request.
    public static func fetched(_ name: String, _ entity: String, where predicateFormat: String) -> Self {
        .fetchedProperty(
            FetchedPropertyDescription(
                name: name,
                fetchRequest: FetchRequestTemplate(name: name, entityName: entity, predicateFormat: predicateFormat)))
    }

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String?, maxCount: Int, _ options: [RelationshipOption]
    ) -> Self {
        var relationship = RelationshipDescription(name: name, destination: destination, inverse: inverse)
        relationship.isOptional = true
        relationship.maxCount = maxCount
        for option in options { option.apply(&relationship) }
        return .relationship(relationship)
    }
}

extension EntityDescription {
    /// An entity with its properties.
    ///
    /// ```swift
    /// let model = ManagedObjectModel(entities: [
    ///     EntityDescription("Coffee", [
    ///         .attribute("name", .string, .required, .indexed),
    ///         .attribute("brand", .string, .required, .indexed),
    ///         .attribute("rating", .decimal),
    ///     ])
    /// ])
    /// ```
    ///
    /// - Parameters:
    ///   - superentity: the name of its superentity.
    ///   - unique: its uniqueness constraints, each a list of property names.
    public init(
        _ name: String, _ properties: [PropertyDescription], superentity: String? = nil, isAbstract: Bool = false,
        unique: [[String]] = []
    ) {
        self.init(name: name)
        superentityName = superentity
        self.isAbstract = isAbstract
        uniquenessConstraints = unique
        for property in properties {
            switch property {
            case .attribute(let attribute): attributes.append(attribute)
            case .relationship(let relationship): relationships.append(relationship)
            case .fetchedProperty(let property): fetchedProperties.append(property)
            }
        }
    }
}
