import GranaryModel
import GranaryPredicates

/// Validation rules as entries of an attribute's `<userInfo>`. Xcode's XML has no element for predicates that were set
/// in code, and Xcode preserves user info.
///
/// `GranaryValidationPredicate 1` is the text of the first predicate, `GranaryValidationMessage 1` the message for
/// values that break it.
enum ValidationRuleEntries {
    private static let predicateKey = "GranaryValidationPredicate "
    private static let messageKey = "GranaryValidationMessage "

    /// - Returns: nil if reading a predicate's text gives another predicate, or if a key is already in use.
    static func entries(
        of rules: [ValidationRule], beside userInfo: [String: UserInfoValue]
    ) -> [String: UserInfoValue]? {
        var entries = userInfo
        for (index, rule) in rules.enumerated() {
            guard !rule.predicate.isTooDeep else { return nil }
            let text = rule.predicate.description
            guard predicate(text) == rule.predicate,
                entries.updateValue(.string(text), forKey: "\(predicateKey)\(index + 1)") == nil
            else { return nil }
            guard !rule.message.isEmpty else { continue }
            guard entries.updateValue(.string(rule.message), forKey: "\(messageKey)\(index + 1)") == nil else {
                return nil
            }
        }
        return take(from: entries).rules == rules ? entries : nil
    }

    /// Separates the rules from the user info. Entries that are not predicates remain user info.
    static func take(
        from entries: [String: UserInfoValue]
    ) -> (rules: [ValidationRule], userInfo: [String: UserInfoValue]) {
        var userInfo = entries
        var rules: [ValidationRule] = []
        while let text = userInfo["\(predicateKey)\(rules.count + 1)"]?.string, let predicate = predicate(text) {
            let number = rules.count + 1
            userInfo["\(predicateKey)\(number)"] = nil
            let messageKey = "\(messageKey)\(number)"
            let message = userInfo[messageKey]?.string
            if message != nil { userInfo[messageKey] = nil }
            rules.append(ValidationRule(predicate: predicate, message: message ?? ""))
        }
        return (rules, userInfo)
    }

    private static func predicate(_ text: String) -> ObjectPredicate? {
        guard let predicate = try? PredicateFormat.predicate(text), predicate.isEvaluable else { return nil }
        return predicate
    }
}
