import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension PredicateArchiveReader {
    /// - Throws: as ``predicate(_:depth:)``.
    mutating func expression(_ item: KeyedArchive.Item, depth: Int = 1) throws(GranaryError) -> ExpressionNode {
        try enter(item, depth)
        let result: ExpressionNode
        switch try archive.className(of: item) {
        case "NSSelfExpression": result = .evaluatedObject
        case "NSConstantValueExpression": result = .constant(try constant(of: item, depth: depth))
        case "NSVariableExpression": result = .variable(try text("NSVariable", of: item))
        case "NSKeyPathExpression": result = try keyPath(item, depth: depth)
        case "NSFunctionExpression":
            let name = try text("NSSelectorName", of: item)
            // A function without an operand is one of Foundation's.
            var operand = ExpressionNode.utilities
            if let field = try archive.field("NSOperand", of: item) {
                operand = try expression(field, depth: depth + 1)
            }
            result = .function(
                name, operand: operand, arguments: try expressions("NSArguments", of: item, depth: depth))
        case "NSAggregateExpression":
            result = .aggregate(try expressions("NSCollection", of: item, depth: depth))
        case let name: throw refused("\(name ?? "a plain value") is not a known expression")
        }
        leave(item)
        return result
    }

    private mutating func keyPath(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ExpressionNode {
        let selector = try text("NSSelectorName", of: item)
        let arguments = try archive.items("NSArguments", of: item) ?? []
        guard selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1,
            let specifier = arguments.first,
            try archive.className(of: specifier) == "NSKeyPathSpecifierExpression",
            let operand = try archive.field("NSOperand", of: item)
        else { throw refused("a key path expression without its operand and its one path") }
        let path = try text("NSKeyPath", of: specifier)
        return .keyPath(path, of: try expression(operand, depth: depth + 1))
    }

    private mutating func expressions(
        _ name: String, of item: KeyedArchive.Item, depth: Int
    ) throws(GranaryError) -> [ExpressionNode] {
        let items = try archive.items(name, of: item) ?? []
        try charge(items.count)
        var result: [ExpressionNode] = []
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

    private mutating func constant(of item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> PredicateConstant {
        guard let value = try archive.field("NSConstantValue", of: item) else {
            guard try archive.field("NSConstantValueClassName", of: item) != nil else { return .null }
            return .className(try text("NSConstantValueClassName", of: item))
        }
        return try constant(value, depth: depth + 1)
    }

    private mutating func constant(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> PredicateConstant {
        let value = try archive.value(item)
        switch value {
        case .null: return .null
        case .unsigned(let value): return .value(.decimal(Decimal(value)))
        case .array(let items), .set(let items), .orderedSet(let items):
            try enter(item, depth)
            try charge(items.count)
            var values: [PredicateConstant] = []
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
        return .value(constant)
    }
}
