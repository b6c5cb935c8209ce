import GranaryBase

extension Schema.Relationship {
    /// The rules of the relationship that `count` objects at its other end break; empty when they break none.
    ///
    /// As in Core Data: an optional relationship may be empty whatever its minimum; a required to-one without its object
    /// is a missing value (1570). "Required" on a to-many says nothing about its count: only the minimum does (1580).
    /// Of 64 stores of one released app all have a required to-many that is empty (behaviours.md, SEEN-1).
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
