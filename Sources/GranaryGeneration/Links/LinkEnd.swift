import GranaryModel

/// The numbers of objects that the objects of one end of a relationship are linked to.
struct LinkEnd: Sendable {
    /// The number that every object needs.
    var must: UInt64
    /// The number that a linked object needs.
    var step: UInt64
    /// The maximum number.
    var limit: UInt64

    /// An end without rules.
    static let free = LinkEnd(must: 0, step: 1, limit: .max)
    /// An end whose objects belong to at most one other object.
    static let exclusive = LinkEnd(must: 0, step: 1, limit: 1)

    init(_ relationship: Schema.Relationship) {
        let description = relationship.description
        guard relationship.isToMany else {
            self.init(must: description.isOptional ? 0 : 1, step: 1, limit: 1)
            return
        }
        let minimum = UInt64(max(0, description.minCount))
        self.init(
            must: description.isOptional ? 0 : minimum, step: max(1, minimum),
            limit: description.maxCount > 0 ? UInt64(description.maxCount) : .max)
    }

    private init(must: UInt64, step: UInt64, limit: UInt64) {
        self.must = must
        self.step = step
        self.limit = limit
    }

    var isFree: Bool { must == 0 && step == 1 && limit == .max }
}
