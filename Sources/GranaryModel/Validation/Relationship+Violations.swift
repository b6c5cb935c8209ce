import GranaryBase

extension Schema.Relationship {
    /// The rules that a relationship to `count` objects breaks.
    ///
    /// As in Core Data, an optional relationship may be empty regardless of its minimum, and a required to-one
    /// relationship without an object is a missing value (1570). A required to-many relationship has no minimum unless
    /// one is set (1580): all of 64 stores of one released app have an empty required to-many relationship
    /// (SEEN-1, docs/core-data/behaviours.md#seen-in-real-stores).
    package func violations(ofCount count: Int) -> [Violation] {
        if count == 0, description.isOptional { return [] }
        guard isToMany || count > 0 else { return [Violation(.valueMissing, "an object is required")] }
        if count < description.minCount {
            let found = count == 1 ? "1 object is" : "\(count) objects are"
            return [Violation(.relationshipTooFew, "\(found) fewer than the minimum \(description.minCount)")]
        }
        if description.maxCount > 0, count > description.maxCount {
            return [
                Violation(.relationshipTooMany, "\(count) objects are more than the maximum \(description.maxCount)")
            ]
        }
        return []
    }

    /// Whether the number of objects can break a rule. If not, callers need not count them.
    package var hasCountRule: Bool {
        guard isToMany else { return !description.isOptional }
        return description.minCount > (description.isOptional ? 1 : 0) || description.maxCount > 0
    }
}
