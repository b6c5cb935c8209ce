import GranaryBase

extension Schema.Relationship {
    /// The rules of the relationship that `count` objects at its other end break; empty when they break none.
    ///
    /// As Core Data: nothing at all is allowed where the relationship is optional, whatever the minimum; a required
    /// to-one without its object is a missing value (1570), a required to-many without objects too few (1580).
    package func violations(ofCount count: Int) -> [Violation] {
        guard count > 0 else {
            guard !description.isOptional else { return [] }
            guard isToMany else { return [Violation(.valueMissing, "an object is required")] }
            return [Violation(.relationshipTooFew, "no object; at least \(max(1, description.minCount)) required")]
        }
        if count < description.minCount {
            return [
                Violation(.relationshipTooFew, "\(count) objects are fewer than the minimum \(description.minCount)")
            ]
        }
        if description.maxCount > 0, count > description.maxCount {
            return [
                Violation(.relationshipTooMany, "\(count) objects are more than the maximum \(description.maxCount)")
            ]
        }
        return []
    }
}
