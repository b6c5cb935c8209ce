package import GranaryBase
package import GranaryFormats
package import GranaryModel
package import GranaryPropertyLists

/// A store that is one property list, binary or XML, with the model inside. (`NSBinaryStoreType`, `NSXMLStoreType`)
///
/// All of it is in memory while it is open: an ``InMemoryStore`` answers whatever is asked. Each transaction writes the
/// file anew, as the export of a property-list document with ids writes it, and `metadata` beside `entities` and `model`.
/// The file is replaced by renaming, so that nobody ever sees half of one.
package final class ArchiveStore: PersistentStore {
    /// Where the file lies, links followed.
    package let path: String
    package let encoding: PropertyListEncoding
    package let isReadOnly: Bool
    /// What the file says about itself. Versions of rows and the last keys are no part of it.
    package private(set) var metadata: StoreMetadata
    private let memory: InMemoryStore
    /// The file as this store read or wrote it last; nil while it is in the making.
    private var stamp: FileStamp?

    package var schema: Schema { memory.schema }
    package var identifier: String { metadata.identifier }
    package var keepsExactDecimals: Bool { true }

    init(
        path: String, encoding: PropertyListEncoding, isReadOnly: Bool, metadata: StoreMetadata,
        memory: InMemoryStore, stamp: FileStamp?
    ) {
        self.path = path
        self.encoding = encoding
        self.isReadOnly = isReadOnly
        self.metadata = metadata
        self.memory = memory
        self.stamp = stamp
    }

    package func read(
        entities: Range<Int>, batchSize: Int, _ body: (borrowing RowBatch) throws -> Bool
    ) throws {
        try memory.read(entities: entities, batchSize: batchSize, body)
    }

    package func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        try memory.read(entities: entities, after: key, limit: limit)
    }

    package func read(root: Int, keys: [Int64]) throws -> RowBatch { try memory.read(root: root, keys: keys) }

    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try memory.readLinks(of: relationship, owners: owners, body)
    }

    package func lastKey(root: Int) -> Int64 { memory.lastKey(root: root) }

    package func count(entity: Int) throws -> Int { try memory.count(entity: entity) }

    package func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        try memory.keys(matching: constraint, in: batch, row: row)
    }

    /// Runs `body`, then writes the file. Where either fails, all is as it was, in memory and on the disk.
    ///
    /// - Throws: whatever `body` throws; ``GranaryError``: `usage` when the store is read-only; `refused` for what the file
    ///   cannot hold: a reference to nothing, or in XML a character that XML has not; `busy` when another process has
    ///   written the file since; `inputOutput`.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try checkWritable()
        return try memory.transaction { writer in
            let result = try body(writer)
            try write(metadata)
            return result
        }
    }

    /// Replaces ``metadata`` but for the identifier, and writes the file.
    ///
    /// - Throws: as ``transaction(_:)``.
    package func setMetadata(_ entries: [PropertyListEntry]) throws {
        try checkWritable()
        var changed = metadata
        changed.entries = ArchiveMetadata.kept(entries)
        try write(changed)
        metadata = changed
    }

    package func setUserMetadata(_ entries: [PropertyListEntry]) throws {
        try setMetadata(metadata.replacingUserEntries(with: entries).entries)
    }

    /// Writes the file of a store in the making.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` when there is something of that name; `refused` for what the file cannot
    ///   hold; `inputOutput`.
    package func publish() throws(GranaryError) {
        guard stamp == nil else { return }
        let writer = ArchiveWriter(store: memory, metadata: metadata, encoding: encoding)
        stamp = try converting { try ArchiveFile.create(path) { try writer.write(to: $0) } }
    }

    private func checkWritable() throws(GranaryError) {
        guard !isReadOnly else {
            throw GranaryError(.usage, "\(path): the store was opened for reading only")
        }
    }

    private func write(_ metadata: StoreMetadata) throws {
        guard let stamp else { return }
        let writer = ArchiveWriter(store: memory, metadata: metadata, encoding: encoding)
        self.stamp = try ArchiveFile.replace(path, known: stamp) { try writer.write(to: $0) }
    }
}
