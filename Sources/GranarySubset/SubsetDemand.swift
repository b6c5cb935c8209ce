import GranaryModel

/// The members of a to-many relationship that the subset needs of each object.
struct SubsetDemand: Sendable {
    let relationship: Schema.Relationship
    let minimum: Int
    /// Whether an object may also have no member.
    let mayBeEmpty: Bool
    let why: SubsetOrigins.Why

    /// The minimum count of the relationship.
    init(minimumOf relationship: Schema.Relationship) {
        self.relationship = relationship
        minimum = relationship.description.minCount
        mayBeEmpty = relationship.description.isOptional
        why = .minimum
    }

    /// All members.
    init(allOf relationship: Schema.Relationship) {
        self.relationship = relationship
        minimum = .max
        mayBeEmpty = false
        why = .smallTable
    }
}
