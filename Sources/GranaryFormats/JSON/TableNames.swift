import GranaryBase

/// The entities that a writer has begun. It refuses an entity that is written twice, and a second entity in a single
/// array.
struct TableNames {
    // Compared as bytes, because String treats canonically equivalent names as equal.
    private var names: Set<[UInt8]> = []

    var count: Int { names.count }

    mutating func begin(_ entity: String, allowsSeveral: Bool) throws(GranaryError) {
        guard allowsSeveral || names.isEmpty else {
            throw GranaryError(
                .usage, "an array holds one entity; write \(entity) to another file, or a document of several entities")
        }
        guard names.insert(Array(entity.utf8)).inserted else {
            throw GranaryError(.usage, "the entity \(entity) is written twice")
        }
    }
}
