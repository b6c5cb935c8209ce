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

    init(made: MadeObjects) { self.made = made }

    /// The job, entity and relationship of references that are left out.
    struct LeftOutPlace: Hashable {
        let job: Int
        let entity: Int
        let property: String
    }
}
