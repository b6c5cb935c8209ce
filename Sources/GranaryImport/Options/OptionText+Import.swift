package import GranaryRecords

extension OptionText {
    /// Parses a prune limit, a number or a percentage of objects: `50`, `25%`.
    package static func pruneLimit(_ text: String) throws(OptionProblem) -> ImportOptions.PruneLimit {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
            return .percent(share)
        }
        if let count = Int(text), count >= 0 { return .count(count) }
        throw OptionProblem("a number of objects is needed, or a percentage from 0% to 100%")
    }

    /// Parses a lookup: `$id`, an attribute, or several attributes separated by commas.
    package static func lookup(_ text: String) -> ImportOptions.Lookup {
        if text == "$id" { return .identifier }
        let names = names(text)
        return names.count > 1 ? .attributes(names) : .attribute(text)
    }

    /// Splits ignored columns into their names and `*`, which means all other columns.
    package static func ignored(_ texts: [String]) -> (columns: Set<String>, others: Bool) {
        (Set(texts.filter { $0 != "*" }), texts.contains("*"))
    }

    /// Parses natural keys: `A,B` for rows, `RELATIONSHIP=A,B` for nested objects.
    package static func keys(_ texts: [String]) throws(OptionProblem) -> (own: [String]?, nested: [String: [String]]) {
        var own: [String]?
        var nested: [String: [String]] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "=") else {
                if own != nil {
                    throw OptionProblem("the key of the rows is set twice; use A,B for several attributes")
                }
                own = names(text)
                continue
            }
            let name = String(text[..<equals])
            if nested.updateValue(names(String(text[text.index(after: equals)...])), forKey: name) != nil {
                throw OptionProblem("the key of \(name) is set twice")
            }
        }
        return (own, nested)
    }
}
