package import GranaryPredicates
package import GranaryRecords

extension OptionText {
    /// Parses a sort key: `age`, `age:asc`, `age:desc`, or an aggregate such as `sum:price:desc`.
    package static func sortDescriptor(_ text: String) throws(OptionProblem) -> ObjectSortDescriptor {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, let direction = parts.last, ["asc", "desc"].contains(direction.lowercased()) {
            let key = parts.dropLast().joined(separator: ":")
            if GroupedQuery.Aggregate(key) != nil { parts = [Substring(key), direction] }
        } else if GroupedQuery.Aggregate(text) != nil {
            parts = [Substring(text)]
        }
        guard let key = parts.first, !key.isEmpty, parts.count <= 2 else {
            throw OptionProblem("\(text): write a key path, such as name, name:desc or injury.name")
        }
        switch parts.dropFirst().first?.lowercased() {
        case nil, "asc": return ObjectSortDescriptor(String(key))
        case "desc": return ObjectSortDescriptor(String(key), ascending: false)
        default: throw OptionProblem("\(text): the direction is asc or desc")
        }
    }
}
