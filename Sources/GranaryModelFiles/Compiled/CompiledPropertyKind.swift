import GranaryModel
import GranaryPropertyLists

/// The kind of a property in a compiled model.
enum CompiledPropertyKind {
    case attribute, derivedAttribute, compositeAttribute, relationship, fetchedProperty
    /// A proxy for an inherited property, in caches of about 2016.
    case proxy
    /// A computed column of a fetch; Xcode's model files do not contain it.
    case expression

    /// The kind of the object's class or its nearest known superclass.
    init?(_ object: CompiledObject) {
        for name in object.classNames {
            switch name {
            case "NSAttributeDescription": self = .attribute
            case "NSDerivedAttributeDescription": self = .derivedAttribute
            case "NSCompositeAttributeDescription": self = .compositeAttribute
            case "NSRelationshipDescription": self = .relationship
            case "NSFetchedPropertyDescription": self = .fetchedProperty
            case "_NSPropertyDescriptionProxy": self = .proxy
            case "NSExpressionDescription": self = .expression
            default: continue
            }
            return
        }
        return nil
    }
}

extension AttributeType {
    /// The class of the type's values, which Core Data archives with the attribute; nil if the attribute chooses it.
    var archivedClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .composite: "NSDictionary"
        case .objectID: "NSManagedObjectID"
        case .undefined, .transformable: nil
        }
    }
}

extension AttributeDescription: CompiledProperty {
    static let flagPaths: [CompiledPropertyFlags: any WritableKeyPath<Self, Bool> & Sendable] = [
        .optional: \.isOptional, .transient: \.isTransient, .indexedBySpotlight: \.isIndexedBySpotlight,
        .storedInExternalRecord: \.isStoredInExternalRecord, .allowsCloudEncryption: \.allowsCloudEncryption,
    ]
}

extension RelationshipDescription: CompiledProperty {
    static let flagPaths: [CompiledPropertyFlags: any WritableKeyPath<Self, Bool> & Sendable] = [
        .optional: \.isOptional, .transient: \.isTransient, .indexedBySpotlight: \.isIndexedBySpotlight,
        .storedInExternalRecord: \.isStoredInExternalRecord, .ordered: \.isOrdered,
    ]
}

extension FetchedPropertyDescription: CompiledProperty {
    static let flagPaths: [CompiledPropertyFlags: any WritableKeyPath<Self, Bool> & Sendable] = [
        .optional: \.isOptional
    ]
}
