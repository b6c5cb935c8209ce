import GranaryCoordination

/// The destinations of a relationship for the rows of one batch.
struct PrefetchedRelationships {
    /// How often the relationship of a single object was followed before all were read.
    var touches = 0
    /// The destination rows by key; nil until they are read.
    var rows: [Int64: StoredRow]?
    /// The links of a to-many relationship by their owner's key; nil until they are read.
    var links: [Int64: [Link]]?
    /// The coordinator's count of saves when they were read.
    let generation: Int

    init(generation: Int) { self.generation = generation }
}
