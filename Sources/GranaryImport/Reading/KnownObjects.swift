import GranaryModel

/// The references that are resolved while records are read, and the objects that they create.
struct KnownObjects {
    /// The references of the current row of a chunk.
    var references = KnownReferences()
    /// The objects that lookups create while records are read.
    var made: MadeObjects
    /// The number of references that are left out because there is no object with their key.
    var leftOut: [LeftOutPlace: Int] = [:]
    /// Whether references to objects outside the records were resolved while reading.
    var hasResolved = false
    /// For each entity and slot, whether references are resolved at once; nil if it was not computed yet.
    var atOnce: [[Bool?]]
    /// The number of times that the answers in ``atOnce`` were removed.
    private(set) var generation = 0

    init(schema: Schema, made: MadeObjects) {
        self.made = made
        atOnce = schema.entities.map { Array(repeating: nil, count: $0.slotCount) }
    }

    /// Removes the answers in ``atOnce``. Call at the start of a source, and when more entities have records.
    mutating func forgetAnswers() {
        generation += 1
        for entity in atOnce.indices { atOnce[entity] = atOnce[entity].map { _ in nil } }
    }

    /// The job, entity and relationship of references that are left out.
    struct LeftOutPlace: Hashable {
        let job: Int
        let entity: Int
        let property: String
    }
}
