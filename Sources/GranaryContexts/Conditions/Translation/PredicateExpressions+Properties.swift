import Foundation
import GranaryBase
import GranaryPredicates

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let owner = try translator.translate(root)
        if case .composite(let first, let type, let object) = owner {
            guard let whole = first.appending(path: keyPath) else {
                throw PredicateTranslator.refused("a composite attribute of \(type)")
            }
            return try property(whole, type, of: object)
        }
        if let type = Root.Output.self as? ManagedObject.Type {
            return try property(keyPath, type, of: try owner.expression())
        }
        if let type = Root.Output.self as? any RelationshipValue.Type {
            let count = try owner.expression().appending("@count")
            if keyPath == type.countKeyPath { return .value(count) }
            if keyPath == type.isEmptyKeyPath {
                return .condition(.compare(count, .equal, .constant(.integer(0))))
            }
        }
        if keyPath == \String.isEmpty {
            return .condition(.compare(try owner.expression(), .equal, .constant(.string(""))))
        }
        throw PredicateTranslator.refused(
            "a property of \(Root.Output.self) with the type \(Output.self)"
                + (keyPath == \String.count ? ", such as count," : ""))
    }

    private func property(
        _ keyPath: AnyKeyPath, _ type: ManagedObject.Type, of object: ObjectExpression
    ) throws(GranaryError) -> TranslatedExpression {
        if Output.self is any CompositeElements.Type { return .composite(keyPath, type, of: object) }
        if keyPath == type.objectIDKeyPath { return .value(object) }
        return .value(object.appending(try PropertyNames.name(of: keyPath, in: type)))
    }
}

extension ManagedObject {
    /// The key path of the ID, which stands for the object in a condition.
    fileprivate static var objectIDKeyPath: AnyKeyPath { objectIDKeyPath(of: Self.self) }

    // `\Self.objectID` crashes in Swift 6.3.
    private static func objectIDKeyPath<Object: ManagedObject>(of type: Object.Type) -> AnyKeyPath { \Object.objectID }
}

/// The value of a to-many relationship. Others are refused when the predicate is used.
///
/// The conformances have no constraint, because `\Set<Element>.count` with a class as constraint crashes Swift 6.3.
private protocol RelationshipValue {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Set: RelationshipValue {
    fileprivate static var countKeyPath: AnyKeyPath { \Set<Element>.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath { \Set<Element>.isEmpty }
}

extension Array: RelationshipValue {
    fileprivate static var countKeyPath: AnyKeyPath { \[Element].count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath { \[Element].isEmpty }
}

// MARK: - To-many relationships

extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        .value(try translator.subquery(sequence, filter, variable.key))
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let found = try translator.subquery(sequence, test, variable.key).appending("@count")
        return .condition(.compare(found, .greater, .constant(.integer(0))))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let others = try translator.subquery(sequence, test, variable.key, isNegated: true).appending("@count")
        return .condition(.compare(others, .equal, .constant(.integer(0))))
    }
}
