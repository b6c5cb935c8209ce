import GranaryBase
import GranaryFormats
import GranaryModel

/// Writes a store in memory as an archive: what the exporter writes as a document of all entities with ids, and the
/// metadata behind it.
struct ArchiveWriter {
    private static let batchSize = 512

    let store: InMemoryStore
    let metadata: StoreMetadata
    let encoding: PropertyListEncoding

    /// Writes all, and finishes the output.
    ///
    /// - Throws: ``GranaryError``: `refused`, naming object and property, for what the file cannot hold; `inputOutput`.
    func write(to output: ByteOutput) throws {
        let schema = store.schema
        var options = PropertyListWriter.Options()
        options.encoding = encoding
        options.shape = .document
        let writer = PropertyListWriter(output, options: options)
        for entity in schema.entities where !entity.isAbstract {
            // A reference to nothing would make a file that cannot be opened again.
            try store.writeRecords(
                of: RecordTable(complete: entity, of: schema), batchSize: Self.batchSize, into: writer,
                contains: { [store] entity, key in store.contains(entity: entity, key: key) })
        }
        writer.metadata = ArchiveMetadata.entries(metadata, store.state, schema)
        try writer.finish(model: try schema.modelText())
    }
}

extension InMemoryStore {
    /// Whether there is an object of that very entity and key.
    func contains(entity: Int, key: Int64) -> Bool {
        guard schema.entities.indices.contains(entity) else { return false }
        let row = state.hierarchies[schema.entities[entity].root]?.rows[key]
        return row.map { Int($0.entity) == entity } ?? false
    }
}
