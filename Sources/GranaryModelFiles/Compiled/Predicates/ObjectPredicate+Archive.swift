import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension ObjectPredicate {
    /// The depth limit of an archived predicate. It is three more than that of the tree, in which a key path has no
    /// operand `SELF` below it, and a list no constants.
    static let archiveDepthLimit = depthLimit + 3

    static var tooDeep: GranaryError {
        GranaryError(Diagnostic(.modelRule, "a predicate nests deeper than \(depthLimit) levels, the limit"))
    }
}

extension ObjectPredicate.Operator {
    /// The numbers of `NSComparisonPredicate.Operator`.
    private static let archiveNumbers: [Self: Int64] = [
        .less: 0, .lessOrEqual: 1, .greater: 2, .greaterOrEqual: 3, .equal: 4, .notEqual: 5, .matches: 6, .like: 7,
        .beginsWith: 8, .endsWith: 9, .isIn: 10, .contains: 99, .between: 100,
    ]

    /// The number in an archive.
    var archiveNumber: Int64 { Self.archiveNumbers[self] ?? 0 }

    init?(archiveNumber: Int64) {
        guard let operation = Self.allCases.first(where: { $0.archiveNumber == archiveNumber }) else { return nil }
        self = operation
    }

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

extension ObjectPredicate.Options {
    /// All options that an archive can have.
    static let all: Self = [
        .caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive, .wordwise,
    ]
}

extension ObjectPredicate.Modifier {
    /// The number of `NSComparisonPredicate.Modifier`.
    var archiveNumber: Int64 {
        switch self {
        case .direct: 0
        case .all: 1
        case .any: 2
        }
    }

    init?(archiveNumber: Int64) {
        switch archiveNumber {
        case 0: self = .direct
        case 1: self = .all
        case 2: self = .any
        default: return nil
        }
    }
}

extension ObjectPredicate.Comparison {
    /// The fields of the archived operator.
    var operatorFields: [PropertyListEntry] {
        let number = operation.archiveNumber
        let modifierField = PropertyListEntry("NSModifier", .integer(modifier.archiveNumber))
        let optionsField = PropertyListEntry(operation.optionsKey, .integer(Int64(options.rawValue)))
        let typeField = PropertyListEntry("NSOperatorType", .integer(number))
        return switch operation {
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // The variant repeats the type.
            [modifierField, PropertyListEntry("NSVariant", .integer(number)), optionsField, typeField]
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

extension ObjectExpression {
    /// The class whose methods are the functions of the predicate language.
    static let utilities = ObjectExpression.className("_NSPredicateUtilities")
    /// The function that an index stands for.
    static let elementFunction = "objectFrom:withIndex:"
}

extension ObjectExpression.SetOperation {
    /// The number of `NSExpression.ExpressionType`.
    var archiveNumber: Int64 {
        switch self {
        case .union: 5
        case .intersect: 6
        case .minus: 7
        }
    }

    init?(archiveNumber: Int64) {
        switch archiveNumber {
        case 5: self = .union
        case 6: self = .intersect
        case 7: self = .minus
        default: return nil
        }
    }
}
