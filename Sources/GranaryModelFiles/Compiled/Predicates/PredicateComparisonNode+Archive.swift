import GranaryPropertyLists

extension PredicateComparisonNode.Operator {
    var className: String {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: "NSComparisonPredicateOperator"
        case .equal, .notEqual: "NSEqualityPredicateOperator"
        case .matches: "NSMatchingPredicateOperator"
        case .like: "NSLikePredicateOperator"
        case .beginsWith, .endsWith: "NSSubstringPredicateOperator"
        case .isIn, .contains: "NSInPredicateOperator"
        case .between: "NSBetweenPredicateOperator"
        }
    }

    /// The class and its superclasses.
    var classNames: [String] {
        let between =
            switch self {
            case .like: ["NSMatchingPredicateOperator", "NSStringPredicateOperator"]
            case .matches, .beginsWith, .endsWith: ["NSStringPredicateOperator"]
            case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .isIn, .contains, .between:
                [String]()
            }
        return [className] + between + ["NSPredicateOperator", "NSObject"]
    }

    /// The key of the options; operators that search text call them flags.
    var optionsKey: String {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual: "NSOptions"
        case .matches, .like, .beginsWith, .endsWith, .isIn, .contains, .between: "NSFlags"
        }
    }
}

extension PredicateComparisonNode {
    var operatorFields: [PropertyListEntry] {
        let modifierField = PropertyListEntry("NSModifier", .integer(modifier.rawValue))
        let optionsField = PropertyListEntry(operation.optionsKey, .integer(options.rawValue))
        let typeField = PropertyListEntry("NSOperatorType", .integer(operation.rawValue))
        return switch operation {
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // The variant repeats the type.
            [modifierField, PropertyListEntry("NSVariant", .integer(operation.rawValue)), optionsField, typeField]
        case .equal, .notEqual:
            [modifierField, PropertyListEntry("NSNegate", .boolean(operation == .notEqual)), optionsField, typeField]
        case .beginsWith, .endsWith:
            [
                modifierField, optionsField,
                PropertyListEntry("NSPosition", .integer(operation == .endsWith ? 1 : 0)), typeField,
            ]
        case .matches, .like, .isIn, .contains, .between: [modifierField, optionsField, typeField]
        }
    }
}
