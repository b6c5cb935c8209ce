import GranaryModel
import GranaryPropertyLists

/// What an entity of a compiled model can hold.
enum CompiledPropertyKind {
    case attribute, derivedAttribute, compositeAttribute, relationship, fetchedProperty
    /// A stand-in for an inherited property, in caches of about 2016.
    case proxy
    /// A computed column of a fetch; no part of a model file that Xcode makes.
    case expression

    /// Classes of Core Data's own that come from these are read as these.
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
    /// The class of its values that Core Data archives with it; nil where it depends on the attribute.
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

/// The word `_P` of an archived property: what its other keys say, once more in bits.
///
/// Read off 41,576 real properties without an exception (model-formats.md), but for ``storedInExternalRecord``, which
/// no file at hand has.
struct CompiledPropertyFlags: OptionSet, Sendable {
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
}

/// The word `NSFetchRequestFlags` of an archived fetch request.
///
/// The requests at hand all have 30: the four marks that a new `NSFetchRequest` has. Which of the four bits is which is
/// not seen in a file.
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

/// An object of a compiled model with its fields by name; those that are nil are left out.
struct CompiledObject {
    let item: KeyedArchive.Item
    /// Its class and those it comes from, the nearest first.
    let classNames: [String]
    let fields: [String: KeyedArchive.Item]

    var className: String { classNames.first ?? "" }

    /// Whether it is of that class or of one that comes from it.
    func isKind(of name: String) -> Bool { classNames.contains(name) }
}
