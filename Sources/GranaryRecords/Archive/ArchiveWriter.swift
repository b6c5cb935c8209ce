import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Writes a store in memory as an archive: a document export of all entities with ids, then the metadata.
struct ArchiveWriter {
    private static let batchSize = 512

    let store: InMemoryStore
    let metadata: StoreMetadata
    let encoding: PropertyListEncoding

    /// Writes the archive and finishes the output.
    ///
    /// - Throws: ``GranaryError``: `refused`, with object and property, if the file cannot hold a value; `inputOutput`.
    func write(to output: ByteOutput) throws {
        let schema = store.schema
        var options = PropertyListWriter.Options()
        options.encoding = encoding
        options.shape = .document
        let writer = PropertyListWriter(output, options: options)
        for entity in schema.entities where !entity.isAbstract {
            // A file with a reference to a missing object could not be opened again.
            try store.writeRecords(
                of: RecordTable(complete: entity, of: schema), batchSize: Self.batchSize, into: writer,
                contains: { [store] entity, key in store.contains(entity: entity, key: key) })
        }
        writer.metadata = ArchiveMetadata.entries(metadata, store.state, schema)
        try writer.finish(model: try schema.modelText())
    }
}

extension InMemoryStore {
    /// Whether there is an object of exactly this entity with this key.
    func contains(entity: Int, key: Int64) -> Bool {
        guard schema.entities.indices.contains(entity) else { return false }
        let row = state.hierarchies[schema.entities[entity].root]?.rows[key]
        return row.map { Int($0.entity) == entity } ?? false
    }
}
