import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// Adds predicates and expressions to a keyed archive, with Foundation's classes and keys.
///
/// Seen in real models: `NSComparisonPredicate`, `NSCompoundPredicate`, the constant, `SELF`, variable, key path and
/// function expressions, and the operators for order, `==` and `CONTAINS`. Never seen, so derived from what
/// Foundation's classes are known to encode: `NSMatchingPredicateOperator`, `NSLikePredicateOperator` and
/// `NSSubstringPredicateOperator` (`NSFlags`, the last with `NSPosition` 0 for `BEGINSWITH` and 1 for `ENDSWITH`),
/// `IN` as `NSInPredicateOperator` of type 10, `NSBetweenPredicateOperator`, `NSAggregateExpression` with
/// `NSCollection`, the two constant predicates, which have no keys, and the expressions for subqueries, conditions, set
/// operations and indexes.
enum PredicateArchiveWriter {
    /// - Returns: the reference to the predicate.
    /// - Throws: ``GranaryError`` with `model.rule` for a tree deeper than ``ObjectPredicate/depthLimit``.
    static func add(
        _ predicate: ObjectPredicate, to builder: inout KeyedArchiveBuilder
    ) throws(GranaryError) -> PropertyListValue {
        if predicate.isTooDeep { throw ObjectPredicate.tooDeep }
        return try add(predicate, to: &builder, depth: 1)
    }

    /// - Returns: the reference to the expression.
    /// - Throws: as ``add(_:to:)``.
    static func add(
        _ expression: ObjectExpression, to builder: inout KeyedArchiveBuilder
    ) throws(GranaryError) -> PropertyListValue {
        if expression.isTooDeep { throw ObjectPredicate.tooDeep }
        return try add(expression, to: &builder, depth: 1)
    }

    private static func add(
        _ predicate: ObjectPredicate, to builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        try check(depth)
        switch predicate {
        case .constant(let truth):
            return builder.add(
                classNames: [truth ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", "NSObject"], fields: [])
        case .not(let part): return try compound(0, [part], &builder, depth: depth)
        case .and(let parts): return try compound(1, parts, &builder, depth: depth)
        case .or(let parts): return try compound(2, parts, &builder, depth: depth)
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

    /// - Parameter type: the number of `NSCompoundPredicate.LogicalType`.
    private static func compound(
        _ type: Int64, _ parts: [ObjectPredicate], _ builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        var references: [PropertyListValue] = []
        for part in parts { references.append(try add(part, to: &builder, depth: depth + 1)) }
        let list = builder.addArray(references)
        return builder.add(
            classNames: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            fields: [
                PropertyListEntry("NSCompoundPredicateType", .integer(type)),
                PropertyListEntry("NSSubpredicates", list),
            ])
    }

    private static func add(
        _ expression: ObjectExpression, to builder: inout KeyedArchiveBuilder, depth: Int
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
        case .className(let name):
            let field = PropertyListEntry("NSConstantValueClassName", builder.addText(name))
            return object("NSConstantValueExpression", type: 0, [field], &builder)
        case .constant(let value):
            return constant(KeyedArchiveWriter.add(value.archiveTree, &builder), &builder)
        case .null:
            // As in the partial indexes over "== nil" and "!= nil" of real model caches.
            let field = PropertyListEntry("NSConstantValueClassName", KeyedArchiveBuilder.null)
            return object("NSConstantValueExpression", type: 0, [field], &builder)
        case .object:
            throw GranaryError(Diagnostic(.modelRule, "a model cannot hold a managed object of a predicate"))
        case .keyPath(let path): return try ownPath(path, &builder, depth: depth)
        case .path(let path, let operand):
            let reference = try add(operand, to: &builder, depth: depth + 1)
            return keyPath(path, isOwn: operand == .evaluatedObject, reference, &builder)
        case .function(let name, let arguments):
            return try function(name, of: .utilities, arguments, &builder, depth: depth)
        case .method(let name, let operand, let arguments):
            return try function(name, of: operand, arguments, &builder, depth: depth)
        case .list(let elements):
            let list = try array(of: elements, &builder, depth: depth)
            return object("NSAggregateExpression", type: 14, [PropertyListEntry("NSCollection", list)], &builder)
        case .subquery, .conditional, .combined, .element:
            return try addCompound(expression, to: &builder, depth: depth)
        }
    }

    /// Adds an expression with other expressions or predicates below it.
    private static func addCompound(
        _ expression: ObjectExpression, to builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        switch expression {
        case .subquery(let collection, let variable, let condition):
            let source = try add(collection, to: &builder, depth: depth + 1)
            let name = builder.addText(variable)
            let test = try add(condition, to: &builder, depth: depth + 1)
            let fields = [
                PropertyListEntry("NSExpression", source), PropertyListEntry("NSVariable", name),
                PropertyListEntry("NSSubpredicate", test),
            ]
            return object("NSSubqueryExpression", type: 13, fields, &builder)
        case .conditional(let condition, let first, let second):
            let test = try add(condition, to: &builder, depth: depth + 1)
            let value = try add(first, to: &builder, depth: depth + 1)
            let other = try add(second, to: &builder, depth: depth + 1)
            let fields = [
                PropertyListEntry("NSPredicate", test), PropertyListEntry("NSTrueExpression", value),
                PropertyListEntry("NSFalseExpression", other),
            ]
            return object("NSTernaryExpression", type: 20, fields, &builder)
        case .combined(let left, let operation, let right):
            let first = try add(left, to: &builder, depth: depth + 1)
            let second = try add(right, to: &builder, depth: depth + 1)
            let fields = [PropertyListEntry("NSLeftExpression", first), PropertyListEntry("NSRightExpression", second)]
            return object("NSSetExpression", type: operation.archiveNumber, fields, &builder)
        case .element(let collection, .at(let index)):
            return try function(
                ObjectExpression.elementFunction, of: .utilities, [collection, index], &builder, depth: depth)
        case .element(let collection, let index):
            let utilities = try add(ObjectExpression.utilities, to: &builder, depth: depth + 1)
            let source = try add(collection, to: &builder, depth: depth + 1)
            // The word is printed so in the format language too.
            let token = PropertyListEntry("NSToken", builder.addText(index.description))
            let place = object("NSSymbolicExpression", type: 11, [token], &builder)
            let list = builder.addArray([source, place])
            let fields = call(ObjectExpression.elementFunction, utilities, list, type: 4, &builder)
            return builder.add(classNames: ["NSFunctionExpression", "NSExpression", "NSObject"], fields: fields)
        default: return try add(expression, to: &builder, depth: depth)
        }
    }

    private static func constant(
        _ reference: PropertyListValue, _ builder: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
        object("NSConstantValueExpression", type: 0, [PropertyListEntry("NSConstantValue", reference)], &builder)
    }

    private static func function(
        _ name: String, of operand: ObjectExpression, _ arguments: [ObjectExpression],
        _ builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        let operandReference = try add(operand, to: &builder, depth: depth + 1)
        let list = try array(of: arguments, &builder, depth: depth)
        let fields = call(name, operandReference, list, type: 4, &builder)
        return builder.add(classNames: ["NSFunctionExpression", "NSExpression", "NSObject"], fields: fields)
    }

    /// Adds a key path of the tested object. A path `SELF.length`, which only code makes, is the path `length`.
    private static func ownPath(
        _ path: String, _ builder: inout KeyedArchiveBuilder, depth: Int
    ) throws(GranaryError) -> PropertyListValue {
        let reference = try add(ObjectExpression.evaluatedObject, to: &builder, depth: depth + 1)
        if path == "SELF" { return reference }
        let own = path.hasPrefix("SELF.") ? String(path.dropFirst("SELF.".count)) : path
        guard !own.isEmpty else { throw GranaryError(Diagnostic(.modelRule, "a predicate with an empty key path")) }
        return keyPath(own, isOwn: true, reference, &builder)
    }

    /// Adds a key path. In real models a path of `SELF` has the type of key paths, and the shorter selector for one
    /// key; with any other operand it has the type of functions.
    private static func keyPath(
        _ path: String, isOwn: Bool, _ operandReference: PropertyListValue, _ builder: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
        let field = PropertyListEntry("NSKeyPath", builder.addText(path))
        let specifier = object("NSKeyPathSpecifierExpression", type: 10, [field], &builder)
        let list = builder.addArray([specifier], isMutable: true)
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

    private static func array(
        of expressions: [ObjectExpression], _ builder: inout KeyedArchiveBuilder, depth: Int
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
        guard depth <= ObjectPredicate.archiveDepthLimit else { throw ObjectPredicate.tooDeep }
    }
}
