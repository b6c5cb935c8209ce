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

/// The word `NSFlagsKey` of an archived attribute.
struct CompiledAttributeFlags: OptionSet, Sendable {
    let rawValue: Int64

    static let allowsExternalBinaryDataStorage = Self(rawValue: 4)
    static let preservesValueInHistoryOnDeletion = Self(rawValue: 16)
    static let all = Self(rawValue: 20)
}

/// The word `_P` of an archived property: flags that repeat its other keys.
///
/// Confirmed by all of 41,576 real properties (model-formats.md), except ``storedInExternalRecord``, which no examined
/// file contains.
struct CompiledPropertyFlags: OptionSet, Hashable, Sendable {
    let rawValue: Int64

    static let always = Self(rawValue: 0x001)
    static let optional = Self(rawValue: 0x002)
    static let readOnly = Self(rawValue: 0x004)
    static let transient = Self(rawValue: 0x008)
    static let noValidationPredicates = Self(rawValue: 0x010)
    static let noValidationWarnings = Self(rawValue: 0x020)
    static let noUserInfo = Self(rawValue: 0x040)
    static let noVersionHashModifier = Self(rawValue: 0x080)
    static let indexedBySpotlight = Self(rawValue: 0x100)
    static let storedInExternalRecord = Self(rawValue: 0x200)
    static let ordered = Self(rawValue: 0x400)
    static let allowsCloudEncryption = Self(rawValue: 0x800)

    /// The flags that also have a key. A flag that is set has the key and the bit; one that is not set has neither.
    static let keys: [(flag: Self, key: String)] = [
        (.optional, "NSIsOptional"), (.readOnly, "NSIsReadOnly"), (.transient, "NSIsTransient"),
        (.indexedBySpotlight, "NSIndexedBySpotlight"), (.storedInExternalRecord, "NSIsStoredInTruth"),
        (.ordered, "NSIsOrdered"), (.allowsCloudEncryption, "NSAllowsCloudEncryption"),
    ]
}

/// A property with the fields that a compiled model stores for every kind of property.
protocol CompiledProperty: Equatable {
    /// The Booleans of the flags.
    static var flagPaths: [CompiledPropertyFlags: any WritableKeyPath<Self, Bool> & Sendable] { get }

    var name: String { get }
    var renamingIdentifier: String? { get set }
    var versionHashModifier: String? { get set }
    var userInfo: [String: UserInfoValue] { get set }
    var notes: [String: String] { get set }
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

/// The word `NSFetchRequestFlags` of an archived fetch request.
///
/// All examined requests have the value 30: the four flags of a new `NSFetchRequest`. The meaning of each of the four
/// bits is a guess.
struct FetchRequestFlags: OptionSet, Sendable {
    let rawValue: Int64

    static let returnsDistinctResults = Self(rawValue: 1)
    static let includesSubentities = Self(rawValue: 2)
    static let includesPropertyValues = Self(rawValue: 4)
    static let returnsObjectsAsFaults = Self(rawValue: 8)
    static let includesPendingChanges = Self(rawValue: 16)
    static let all = Self(rawValue: 31)

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ request: FetchRequestTemplate) {
        self = []
        if request.returnsDistinctResults { insert(.returnsDistinctResults) }
        if request.includesSubentities { insert(.includesSubentities) }
        if request.includesPropertyValues { insert(.includesPropertyValues) }
        if request.returnsObjectsAsFaults { insert(.returnsObjectsAsFaults) }
        if request.includesPendingChanges { insert(.includesPendingChanges) }
    }
}

/// An object of a compiled model with its fields by name, without fields that are nil.
struct CompiledObject {
    let item: KeyedArchive.Item
    /// Its class and superclasses, the nearest first.
    let classNames: [String]
    let fields: [String: KeyedArchive.Item]

    var className: String { classNames.first ?? "" }

    /// Whether the object is of that class or a subclass.
    func isKind(of name: String) -> Bool { classNames.contains(name) }
}
