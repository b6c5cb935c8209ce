import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// Converts an attribute's rules to validation predicates and back.
///
/// A compiled model stores the model editor's minimum, maximum, lengths and pattern as predicates such as `length >=
/// 3`. The only real model examined has rules that were set in code, with messages. The form in which Xcode's compiler
/// writes the editor's fields is a guess: minimum first, lengths before the pattern, with the numbers of Core Data's
/// errors (`CoreDataErrors.h`). So a text is always a rule's message, and a number identifies a field of the editor.
enum ValidationPredicates {
    /// Adds rules to an attribute whose type is set.
    ///
    /// - Returns: the text of each predicate that Granary cannot evaluate, for ``KeptValidation``.
    static func apply(_ entries: [ValidationEntry], to attribute: inout AttributeDescription) -> [String] {
        var notes: [String] = []
        for entry in entries {
            var message = ""
            var fitsField = true
            switch entry.warning {
            case .string(let text)?:
                // A number as text is not a message.
                fitsField = Field.numbers.contains { text == String($0) }
                if !fitsField { message = text }
            case .integer(let number)?: fitsField = number != Int64(Field.ruleNumber)
            default: break
            }
            if fitsField, let field = Field(entry.predicate, attribute.type), field.set(on: &attribute) { continue }
            if entry.predicate.isEvaluable {
                attribute.validationRules.append(ValidationRule(predicate: entry.predicate, message: message))
            } else {
                notes.append(entry.predicate.description)
            }
        }
        return notes
    }

    /// The predicates of an attribute. ``apply(_:to:)`` makes the same rules of them.
    ///
    /// - Throws: ``GranaryError`` with `model.rule` for a rule that nests too deep.
    static func entries(of attribute: AttributeDescription) throws(GranaryError) -> [ValidationEntry] {
        var entries = Field.all(of: attribute).map { field in
            ValidationEntry(predicate: field.predicate, warning: .integer(Int64(field.number(attribute.type))))
        }
        for rule in attribute.validationRules {
            if rule.predicate.isTooDeep { throw ObjectPredicate.tooDeep }
            entries.append(
                ValidationEntry(
                    predicate: rule.predicate,
                    warning: rule.message.isEmpty ? .integer(Int64(Field.ruleNumber)) : .string(rule.message)))
        }
        return entries
    }
}

extension ValidationPredicates {
    /// A rule that has a field in the model editor.
    enum Field {
        case minimumValue(AttributeValue)
        case maximumValue(AttributeValue)
        case minimumLength(Int)
        case maximumLength(Int)
        case pattern(String)

        /// The number of a rule without a field in the editor. (`NSManagedObjectValidationError`)
        static let ruleNumber = 1550
        static let numbers = [1620, 1610, 1640, 1630, 1670, 1660, 1680]

        /// The number of Core Data's error for a broken rule.
        func number(_ type: AttributeType) -> Int {
            switch self {
            case .minimumValue: type == .date ? 1640 : 1620
            case .maximumValue: type == .date ? 1630 : 1610
            case .minimumLength: 1670
            case .maximumLength: 1660
            case .pattern: 1680
            }
        }

        var predicate: ObjectPredicate {
            let length = ObjectExpression.keyPath("length")
            return switch self {
            case .minimumValue(let value): .compare(.evaluatedObject, .greaterOrEqual, .constant(value))
            case .maximumValue(let value): .compare(.evaluatedObject, .lessOrEqual, .constant(value))
            case .minimumLength(let count): .compare(length, .greaterOrEqual, .constant(.integer(Int64(count))))
            case .maximumLength(let count): .compare(length, .lessOrEqual, .constant(.integer(Int64(count))))
            case .pattern(let source): .compare(.evaluatedObject, .matches, .constant(.string(source)))
            }
        }

        static func all(of attribute: AttributeDescription) -> [Field] {
            [
                attribute.minimumValue.map(Field.minimumValue), attribute.maximumValue.map(Field.maximumValue),
                attribute.minimumLength.map(Field.minimumLength), attribute.maximumLength.map(Field.maximumLength),
                attribute.regularExpression.map(Field.pattern),
            ].compactMap { $0 }
        }

        /// The field that corresponds to a predicate; nil if an attribute of that type has none.
        init?(_ predicate: ObjectPredicate, _ type: AttributeType) {
            guard case .comparison(let node) = predicate, node.options.isEmpty, node.modifier == .direct,
                case .constant(let value) = node.right
            else { return nil }
            switch (node.left, node.operation, value) {
            case (.keyPath("length"), .greaterOrEqual, .integer(let count))
            where type == .string && count >= 0:
                self = .minimumLength(Int(clamping: count))
            case (.keyPath("length"), .lessOrEqual, .integer(let count))
            where type == .string && count >= 0:
                self = .maximumLength(Int(clamping: count))
            case (.evaluatedObject, .matches, .string(let source)) where type == .string: self = .pattern(source)
            case (.evaluatedObject, .greaterOrEqual, _):
                guard let bound = value.asBound(of: type) else { return nil }
                self = .minimumValue(bound)
            case (.evaluatedObject, .lessOrEqual, _):
                guard let bound = value.asBound(of: type) else { return nil }
                self = .maximumValue(bound)
            default: return nil
            }
        }

        /// Sets the field of an attribute. Returns false if it is set already or contradicts the other bound.
        func set(on attribute: inout AttributeDescription) -> Bool {
            switch self {
            case .minimumValue(let value) where attribute.minimumValue == nil:
                if let other = attribute.maximumValue, !Self.isOrdered(value, other) { return false }
                attribute.minimumValue = value
            case .maximumValue(let value) where attribute.maximumValue == nil:
                if let other = attribute.minimumValue, !Self.isOrdered(other, value) { return false }
                attribute.maximumValue = value
            case .minimumLength(let count) where attribute.minimumLength == nil:
                if let other = attribute.maximumLength, count > other { return false }
                attribute.minimumLength = count
            case .maximumLength(let count) where attribute.maximumLength == nil:
                if let other = attribute.minimumLength, count < other { return false }
                attribute.maximumLength = count
            case .pattern(let source) where attribute.regularExpression == nil: attribute.regularExpression = source
            default: return false
            }
            return true
        }

        private static func isOrdered(_ lower: AttributeValue, _ upper: AttributeValue) -> Bool {
            lower.order(to: upper).map { $0 <= 0 } ?? false
        }
    }
}
