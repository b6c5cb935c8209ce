import GranaryPropertyLists

/// Validation predicates that Granary cannot evaluate, as notes of their attribute: their texts and their warnings.
/// They are written to a compiled model again.
enum KeptValidation {
    private static let predicatesKey = "NSValidationPredicates"
    private static let warningsKey = "NSValidationWarnings"
    private static let separator = "; "

    /// - Parameter warnings: one for each text, or none at all.
    static func note(_ texts: [String], warnings: [PropertyListValue?], in notes: inout [String: String]) {
        guard !texts.isEmpty else { return }
        notes[predicatesKey] = texts.joined(separator: separator)
        let known = warnings.map { warning in
            switch warning {
            case .string(let text)?: text
            case .integer(let number)?: String(number)
            default: String(ValidationPredicates.Field.ruleNumber)
            }
        }
        if known.contains(where: { $0 != String(ValidationPredicates.Field.ruleNumber) }) {
            notes[warningsKey] = known.joined(separator: separator)
        }
    }

    /// The predicates of the notes. None if one of the texts is not in the predicate language, since the list may then
    /// have been split at a wrong place.
    static func entries(_ notes: [String: String]) -> [ValidationEntry] {
        let texts = pieces(notes[predicatesKey])
        let nodes = texts.compactMap { try? PredicateFormat.predicate($0) }
        guard nodes.count == texts.count else { return [] }
        let warnings = pieces(notes[warningsKey]).map { text in
            Int64(text).map(PropertyListValue.integer) ?? .string(text)
        }
        let areInStep = warnings.count == nodes.count
        return nodes.enumerated().map { index, node in
            ValidationEntry(predicate: node, warning: areInStep ? warnings[index] : nil)
        }
    }

    private static func pieces(_ text: String?) -> [String] {
        guard var rest = text.map({ Substring($0) }) else { return [] }
        var pieces: [String] = []
        while let range = rest.firstRange(of: separator) {
            pieces.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [String(rest)]
    }
}
