import GranaryModel

/// Validation rules as entries of an attribute's `<userInfo>`: Xcode's XML has no place of its own for predicates that
/// were set in code, and leaves what users note alone.
///
/// `GranaryValidationPredicate 1` is the first predicate in its format language, `GranaryValidationMessage 1` what is said
/// where it does not hold.
enum ValidationRuleEntries {
    private static let predicateKey = "GranaryValidationPredicate "
    private static let messageKey = "GranaryValidationMessage "

    /// - Returns: nil where a predicate does not come back from its text the same, or a key is taken.
    static func entries(
        of rules: [ValidationRule], beside userInfo: [String: String]
    ) -> [String: String]? {
        var entries = userInfo
        for (index, rule) in rules.enumerated() {
            guard let node = try? PredicateNode(rule.predicate) else { return nil }
            let text = PredicateFormat.text(of: node)
            guard predicate(text) == rule.predicate,
                entries.updateValue(text, forKey: "\(predicateKey)\(index + 1)") == nil
            else { return nil }
            guard !rule.message.isEmpty else { continue }
            guard entries.updateValue(rule.message, forKey: "\(messageKey)\(index + 1)") == nil else { return nil }
        }
        return take(from: entries).rules == rules ? entries : nil
    }

    /// Takes the rules out of what a user has noted; what is no predicate stays a note.
    static func take(from entries: [String: String]) -> (rules: [ValidationRule], userInfo: [String: String]) {
        var userInfo = entries
        var rules: [ValidationRule] = []
        while let text = userInfo["\(predicateKey)\(rules.count + 1)"], let predicate = predicate(text) {
            let number = rules.count + 1
            userInfo["\(predicateKey)\(number)"] = nil
            let message = userInfo.removeValue(forKey: "\(messageKey)\(number)") ?? ""
            rules.append(ValidationRule(predicate: predicate, message: message))
        }
        return (rules, userInfo)
    }

    private static func predicate(_ text: String) -> ObjectPredicate? {
        guard let node = try? PredicateFormat.predicate(text) else { return nil }
        return ObjectPredicate(node)
    }
}
