#if PostgreSQL
    import Foundation
    import GranaryModel
    import GranaryPredicates

    /// The rules of an attribute in the comment of its column. They are no CHECKs, because a store can contain older values
    /// that break them, and because the server counts characters and has other regular expressions (decision 55).
    enum RuleComment {
        /// - Returns: an empty text if there are no rules.
        static func text(_ attribute: AttributeDescription, isNotNull: Bool) -> String {
            var rules: [String] = []
            if !attribute.isOptional && !isNotNull { rules.append("required") }
            rules += bounds(
                attribute.minimumLength.map { "\($0)" }, attribute.maximumLength.map { "\($0)" }
            ).map { "length \($0) in UTF-16 units" }
            rules += bounds(attribute.minimumValue.map(text), attribute.maximumValue.map(text))
            if let pattern = attribute.regularExpression { rules.append("matches the ICU pattern \(pattern)") }
            rules += attribute.validationRules.map { "\($0.predicate)" }
            let checked =
                rules.isEmpty ? "" : "; checked by Granary, not by the server: " + rules.joined(separator: ", ")
            let derived = attribute.derivationExpression.map { "; derived from \($0)" } ?? ""
            // The statement is a C string.
            return (derived + checked).replacing("\0", with: "\u{fffd}")
        }

        private static func bounds(_ least: String?, _ most: String?) -> [String] {
            switch (least, most) {
            case (let least?, let most?): ["\(least) to \(most)"]
            case (let least?, nil): ["at least \(least)"]
            case (nil, let most?): ["at most \(most)"]
            case (nil, nil): []
            }
        }

        private static func text(_ value: AttributeValue) -> String {
            switch value {
            case .integer(let value): "\(value)"
            case .float(let value): "\(value)"
            case .double(let value): "\(value)"
            case .decimal(let value): "\(value)"
            case .date(let value): value.formatted(.iso8601)
            default: "\(value)"
            }
        }
    }
#endif
