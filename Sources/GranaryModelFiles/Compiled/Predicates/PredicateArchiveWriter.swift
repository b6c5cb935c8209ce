import GranaryBase
import GranaryPropertyLists

/// Adds predicates and expressions to a keyed archive, with Foundation's classes and keys.
///
/// Seen in real models: `NSComparisonPredicate`, `NSCompoundPredicate`, the constant, `SELF`, variable, key path and
/// function expressions, and the operators for order, `==` and `CONTAINS`. Never seen, so derived from what
/// Foundation's classes are known to encode: `NSMatchingPredicateOperator`, `NSLikePredicateOperator` and
/// `NSSubstringPredicateOperator` (`NSFlags`, the last with `NSPosition` 0 for `BEGINSWITH` and 1 for `ENDSWITH`),
/// `IN` as `NSInPredicateOperator` of type 10, `NSBetweenPredicateOperator`, `NSAggregateExpression` with
/// `NSCollection`, and the two constant predicates, which have no keys.
enum PredicateArchiveWriter {
    /// - Returns: the reference to the predicate.
    /// - Throws: ``GranaryError`` with `model.rule` for a tree deeper than ``PredicateNode/depthLimit``.
    static func add(
        _ predicate: PredicateNode, to builder: inout KeyedArchiveBuilder
    ) throws(GranaryError) -> PropertyListValue {
        try add(predicate, to: &builder, depth: 1)
    }

    /// - Returns: the reference to the expression.
    /// - Throws: as ``add(_:to:)``.
    static func add(
        _ expression: ExpressionNode, to builder: inout KeyedArchiveBuilder
    ) throws(GranaryError) -> PropertyListValue {
        try add(expression, to: &builder, depth: 1)
    }

    private static func add(
        _ predicate: PredicateNode, to builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        try check(depth)
        switch predicate {
        case .constant(let truth):
            return builder.add(
                classNames: [truth ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", "NSObject"], fields: [])
        case .compound(let kind, let parts):
            var references: [PropertyListValue] = []
            for part in parts { references.append(try add(part, to: &builder, depth: depth + 1)) }
            let list = builder.addArray(references)
            return builder.add(
                classNames: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
                fields: [
                    PropertyListEntry("NSCompoundPredicateType", .integer(kind.rawValue)),
                    PropertyListEntry("NSSubpredicates", list),
                ])
        case .comparison(let node):
            let right = try add(node.right, to: &builder, depth: depth + 1)
            let left = try add(node.left, to: &builder, depth: depth + 1)
            let operation = builder.add(classNames: node.operation.classNames, fields: node.operatorFields)
            return builder.add(
                classNames: ["NSComparisonPredicate", "NSPredicate", "NSObject"],
                fields: [
                    PropertyListEntry("NSRightExpression", right),
                    PropertyListEntry("NSLeftExpression", left),
                    PropertyListEntry("NSPredicateOperator", operation),
                ])
        }
    }

    private static func add(
        _ expression: ExpressionNode, to builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        try check(depth)
        switch expression {
        case .evaluatedObject:
            // Real archives have one object for all predicates.
            return builder.addSingleton(
                classNames: ["NSSelfExpression", "NSExpression", "NSObject"],
                fields: [PropertyListEntry("NSExpressionType", .integer(1))])
        case .variable(let name):
            let field = PropertyListEntry("NSVariable", builder.addText(name))
            return object("NSVariableExpression", type: 2, [field], &builder)
        case .constant(.className(let name)):
            let field = PropertyListEntry("NSConstantValueClassName", builder.addText(name))
            return object("NSConstantValueExpression", type: 0, [field], &builder)
        case .constant(let constant):
            let reference = try value(constant, &builder, depth: depth)
            let field = PropertyListEntry("NSConstantValue", reference)
            return object("NSConstantValueExpression", type: 0, [field], &builder)
        case .keyPath(let path, let operand):
            let reference = try add(operand, to: &builder, depth: depth + 1)
            return keyPath(path, of: operand, reference, &builder)
        case .function(let name, let operand, let arguments):
            let operandReference = try add(operand, to: &builder, depth: depth + 1)
            let list = try array(of: arguments, &builder, depth: depth)
            let fields = call(name, operandReference, list, type: 4, &builder)
            return builder.add(classNames: ["NSFunctionExpression", "NSExpression", "NSObject"], fields: fields)
        case .aggregate(let elements):
            let list = try array(of: elements, &builder, depth: depth)
            return object("NSAggregateExpression", type: 14, [PropertyListEntry("NSCollection", list)], &builder)
        }
    }

    /// Adds a key path. In real models a path of `SELF` has the type of key paths, and the shorter selector for one
    /// key; with any other operand it has the type of functions.
    private static func keyPath(
        _ path: String, of operand: ExpressionNode, _ operandReference: PropertyListValue,
        _ builder: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
        let field = PropertyListEntry("NSKeyPath", builder.addText(path))
        let specifier = object("NSKeyPathSpecifierExpression", type: 10, [field], &builder)
        let list = builder.addArray([specifier], isMutable: true)
        let isOwn = operand == .evaluatedObject
        let selector = isOwn && !path.contains(".") ? "valueForKey:" : "valueForKeyPath:"
        let fields = call(selector, operandReference, list, type: isOwn ? 3 : 4, &builder)
        return builder.add(
            classNames: ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"], fields: fields)
    }

    private static func call(
        _ selector: String, _ operand: PropertyListValue, _ arguments: PropertyListValue, type: Int64,
        _ builder: inout KeyedArchiveBuilder
    ) -> [PropertyListEntry] {
        let name = builder.addText(selector)
        return [
            PropertyListEntry("NSOperand", operand),
            PropertyListEntry("NSSelectorName", name),
            PropertyListEntry("NSExpressionType", .integer(type)),
            PropertyListEntry("NSArguments", arguments),
        ]
    }

    private static func value(
        _ constant: PredicateConstant, _ builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        try check(depth)
        switch constant {
        case .null: return KeyedArchiveBuilder.null
        case .className: throw GranaryError(Diagnostic(.modelRule, "a class in a list of constants"))
        case .value(let value): return KeyedArchiveWriter.add(value.archiveTree, &builder)
        case .list(let values):
            var references: [PropertyListValue] = []
            for element in values {
                // A collection cannot contain nil.
                if element == .null {
                    references.append(builder.add(classNames: ["NSNull", "NSObject"], fields: []))
                } else {
                    references.append(try value(element, &builder, depth: depth + 1))
                }
            }
            return builder.addArray(references)
        }
    }

    private static func array(
        of expressions: [ExpressionNode], _ builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        var references: [PropertyListValue] = []
        for expression in expressions { references.append(try add(expression, to: &builder, depth: depth + 1)) }
        return builder.addArray(references)
    }

    private static func object(
        _ name: String, type: Int64, _ fields: [PropertyListEntry], _ builder: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
        builder.add(
            classNames: [name, "NSExpression", "NSObject"],
            fields: fields + [PropertyListEntry("NSExpressionType", .integer(type))])
    }

    private static func check(_ depth: Int) throws(GranaryError) {
        guard depth <= PredicateNode.depthLimit else { throw PredicateNode.tooDeep }
    }
}
