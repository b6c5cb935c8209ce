import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension PredicateArchiveReader {
    /// - Throws: as ``predicate(_:depth:)``.
    mutating func expression(_ item: KeyedArchive.Item, depth: Int = 1) throws(GranaryError) -> ObjectExpression {
        try enter(item, depth)
        let result: ObjectExpression
        switch try archive.className(of: item) {
        case "NSSelfExpression": result = .evaluatedObject
        case "NSConstantValueExpression": result = try constant(of: item, depth: depth)
        case "NSVariableExpression": result = .variable(try text("NSVariable", of: item))
        case "NSKeyPathExpression": result = try keyPath(item, depth: depth)
        case "NSFunctionExpression": result = try function(item, depth: depth)
        case "NSAggregateExpression": result = .list(try expressions("NSCollection", of: item, depth: depth))
        case "NSSubqueryExpression":
            let name = try text("NSVariable", of: item)
            let collection = try expression("NSExpression", of: item, depth: depth)
            result = .subquery(collection, variable: name, try predicate("NSSubpredicate", of: item, depth: depth))
        case "NSTernaryExpression":
            let condition = try predicate("NSPredicate", of: item, depth: depth)
            let first = try expression("NSTrueExpression", of: item, depth: depth)
            result = .conditional(condition, first, try expression("NSFalseExpression", of: item, depth: depth))
        case "NSSetExpression":
            let number = try archive.integer("NSExpressionType", of: item) ?? 0
            guard let operation = ObjectExpression.SetOperation(archiveNumber: number) else {
                throw refused("a set expression of the unknown type \(number)")
            }
            let left = try expression("NSLeftExpression", of: item, depth: depth)
            result = .combined(left, operation, try expression("NSRightExpression", of: item, depth: depth))
        case let name: throw refused("\(name ?? "a plain value") is not a known expression")
        }
        leave(item)
        if depth == 1, result.isTooDeep { throw tooDeep }
        return result
    }

    /// The expression of a field that must be there.
    private mutating func expression(
        _ name: String, of item: KeyedArchive.Item, depth: Int
    ) throws(GranaryError) -> ObjectExpression {
        guard let field = try archive.field(name, of: item) else { throw refused("an expression without its \(name)") }
        return try expression(field, depth: depth + 1)
    }

    private mutating func predicate(
        _ name: String, of item: KeyedArchive.Item, depth: Int
    ) throws(GranaryError) -> ObjectPredicate {
        guard let field = try archive.field(name, of: item) else { throw refused("an expression without its \(name)") }
        return try predicate(field, depth: depth + 1)
    }

    private mutating func function(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectExpression {
        let name = try text("NSSelectorName", of: item)
        // A function without an operand is one of Foundation's.
        var operand = ObjectExpression.utilities
        if let field = try archive.field("NSOperand", of: item) { operand = try expression(field, depth: depth + 1) }
        if operand == .utilities, name == ObjectExpression.elementFunction { return try element(item, depth: depth) }
        var arguments = try expressions("NSArguments", of: item, depth: depth)
        // The type of a cast is a class in an archive, and its name in the format language.
        if name == PredicateFunction.cast.rawValue, arguments.count == 2, case .className(let type) = arguments[1] {
            arguments[1] = .constant(.string(type))
        }
        return operand == .utilities ? .function(name, arguments) : .method(name, of: operand, arguments)
    }

    /// An index: a function of the collection and an expression, or a word such as `FIRST`.
    private mutating func element(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectExpression {
        let arguments = try archive.items("NSArguments", of: item) ?? []
        guard arguments.count == 2 else { throw refused("an index without its collection and its one place") }
        let collection = try expression(arguments[0], depth: depth + 1)
        guard try archive.className(of: arguments[1]) == "NSSymbolicExpression" else {
            return .element(of: collection, .at(try expression(arguments[1], depth: depth + 1)))
        }
        switch try text("NSToken", of: arguments[1]).asciiUppercased {
        case "FIRST": return .element(of: collection, .first)
        case "LAST": return .element(of: collection, .last)
        case "SIZE": return .element(of: collection, .size)
        default: throw refused("an index with an unknown word")
        }
    }

    private mutating func keyPath(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectExpression {
        let selector = try text("NSSelectorName", of: item)
        let arguments = try archive.items("NSArguments", of: item) ?? []
        guard selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1,
            let specifier = arguments.first,
            try archive.className(of: specifier) == "NSKeyPathSpecifierExpression",
            let operand = try archive.field("NSOperand", of: item)
        else { throw refused("a key path expression without its operand and its one path") }
        let path = try text("NSKeyPath", of: specifier)
        let base = try expression(operand, depth: depth + 1)
        return base == .evaluatedObject ? .keyPath(path) : .path(path, of: base)
    }

    private mutating func expressions(
        _ name: String, of item: KeyedArchive.Item, depth: Int
    ) throws(GranaryError) -> [ObjectExpression] {
        let items = try archive.items(name, of: item) ?? []
        try charge(items.count)
        var result: [ObjectExpression] = []
        for item in items { result.append(try expression(item, depth: depth + 1)) }
        return result
    }

    private mutating func text(_ name: String, of item: KeyedArchive.Item) throws(GranaryError) -> String {
        guard let text = try archive.string(name, of: item), !text.isEmpty else {
            throw refused("an expression without its \(name)")
        }
        try charge(text.utf8.count / 64)
        return text
    }

    private mutating func constant(of item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectExpression {
        guard let value = try archive.field("NSConstantValue", of: item) else {
            guard try archive.field("NSConstantValueClassName", of: item) != nil else { return .null }
            return .className(try text("NSConstantValueClassName", of: item))
        }
        return try constant(value, depth: depth + 1)
    }

    private mutating func constant(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectExpression {
        let value = try archive.value(item)
        switch value {
        case .null: return .null
        case .unsigned(let value): return .constant(.decimal(Decimal(value)))
        case .array(let items), .set(let items), .orderedSet(let items):
            try enter(item, depth)
            try charge(items.count)
            var values: [ObjectExpression] = []
            for item in items { values.append(try constant(item, depth: depth + 1)) }
            leave(item)
            return .list(values)
        case .object(let name): throw refused("\(name) is not a known constant")
        case .string(let text), .url(let text, _): try charge(text.utf8.count / 64)
        case .data(let bytes): try charge(bytes.count / 64)
        default: break
        }
        guard let constant = AttributeValue(archived: value) else {
            throw refused("a constant that is an invalid date or URL, or a dictionary")
        }
        return .constant(constant)
    }
}
