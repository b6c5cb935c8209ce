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
