import GranaryBase

/// The entities that a writer has begun, so that none is written twice and no shape gets more than it can hold.
struct TableNames {
    // Entity names are few and long-lived; bytes, because String takes two spellings of one letter for the same.
    private var names: Set<[UInt8]> = []

    var count: Int { names.count }

    mutating func begin(_ entity: String, allowsSeveral: Bool) throws(GranaryError) {
        guard allowsSeveral || names.isEmpty else {
            throw GranaryError(.usage, "one array holds one entity; \(entity) is a second: write a document of several")
        }
        guard names.insert(Array(entity.utf8)).inserted else {
            throw GranaryError(.usage, "the entity \(entity) is written twice")
        }
    }
}
