import Foundation
import GranaryModel
import GranaryPredicates

/// The rules of a property as text.
enum PropertyRules {
    static func rules(of attribute: AttributeDescription) -> [String] {
        var rules: [String] = []
        if attribute.isTransient { rules.append("transient") }
        if let expression = attribute.derivationExpression { rules.append("derived from \(expression)") }
        if let value = attribute.defaultValue { rules.append("default \(text(value))") }
        rules += bounds("length", attribute.minimumLength.map { "\($0)" }, attribute.maximumLength.map { "\($0)" })
        rules += bounds("", attribute.minimumValue.map(text), attribute.maximumValue.map(text))
        if let expression = attribute.regularExpression { rules.append("matches \(expression)") }
        for rule in attribute.validationRules { rules.append("\(rule.predicate)") }
        if let name = attribute.valueTransformerName { rules.append("transformer \(name)") }
        if attribute.allowsExternalBinaryDataStorage { rules.append("external storage") }
        if attribute.isIndexed { rules.append("indexed") }
        return rules
    }

    static func rules(of relationship: RelationshipDescription) -> [String] {
        var rules: [String] = []
        if relationship.isTransient { rules.append("transient") }
        if relationship.isOrdered { rules.append("ordered") }
        if relationship.isToMany {
            let (least, most) = (relationship.minCount, relationship.maxCount)
            rules += bounds("count", least > 0 ? "\(least)" : nil, most > 0 ? "\(most)" : nil)
        }
        rules.append("on delete \(relationship.deleteRule.name)")
        return rules
    }

    private static func bounds(_ what: String, _ least: String?, _ most: String?) -> [String] {
        let prefix = what.isEmpty ? "" : what + " "
        return switch (least, most) {
        case (let least?, let most?): ["\(prefix)\(least) to \(most)"]
        case (let least?, nil): ["\(prefix)at least \(least)"]
        case (nil, let most?): ["\(prefix)at most \(most)"]
        case (nil, nil): []
        }
    }

    private static func text(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .date(let value): value.formatted(.iso8601)
        case .binary(let value): "\(value.count) bytes"
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        }
    }
}
