#if canImport(CoreData)
    import Foundation
    import Granary

    extension ObjectPlan {
        /// Returns the value that a store must compute for a derived attribute, or nil for NULL.
        ///
        /// The supported expressions are `links.@count`, `link.name`, `name`, and `canonical:`, `uppercase:` or
        /// `lowercase:` of a name.
        func derivedValue(of attribute: Schema.Attribute, in number: Int) -> AttributeValue? {
            guard let object = objects[number], let entity = schema.entity(named: object.entity),
                let expression = attribute.description.derivationExpression
            else { return nil }
            if let open = expression.firstIndex(of: "("), expression.hasSuffix(")") {
                let name = String(expression[expression.index(after: open)...].dropLast())
                guard case .string(let text)? = object.values[name] else { return nil }
                return AttributeValue.string(Self.apply(String(expression[..<open]), to: text))
            }
            let names = expression.split(separator: ".").map { String($0) }
            guard names.count == 2 else { return object.values[expression] }
            guard let relationship = entity.relationship(named: names[0]) else { return nil }
            let members = linked(number, relationship)
            if names[1] == "@count" { return AttributeValue.integer(Int64(members.count)) }
            return members.first.flatMap { objects[$0]?.values[names[1]] }
        }

        private static func apply(_ function: String, to text: String) -> String {
            switch function {
            case "uppercase:": text.uppercased()
            case "lowercase:": text.lowercased()
            default: text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            }
        }
    }
#endif
