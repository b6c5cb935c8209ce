package import GranaryBase
package import GranaryCoordination
package import GranaryFormats
package import GranaryPropertyLists

/// A store in one property list, binary or XML, with the model embedded. (`NSBinaryStoreType`, `NSXMLStoreType`)
///
/// While the store is open, all objects are in memory (``InMemoryStore``). Each transaction writes the whole file, in
/// the format of a property-list export with ids plus `metadata`, and replaces it by renaming, so that no reader sees a
/// partial file.
package final class ArchiveStore: ForwardingStore {
    /// The path of the file, with symbolic links resolved.
    package let path: String
    package let encoding: PropertyListEncoding
    package let isReadOnly: Bool
    /// The store's metadata, without the versions of rows and the last keys.
    package private(set) var metadata: StoreMetadata
    private let memory: InMemoryStore
    /// The state of the file when this store last read or wrote it; nil until it is published.
    private var stamp: FileStatus?

    package var base: any StoreBackend { memory }
    package var identifier: String { metadata.identifier }
    package var capabilities: StoreCapabilities { [.exactDecimals, .userMetadata, .nullCharacters] }

    init(
        path: String, encoding: PropertyListEncoding, isReadOnly: Bool, metadata: StoreMetadata,
        memory: InMemoryStore, stamp: FileStatus?
    ) {
        self.path = path
        self.encoding = encoding
        self.isReadOnly = isReadOnly
        self.metadata = metadata
        self.memory = memory
        self.stamp = stamp
    }

    /// Runs `body`, then writes the file. If either fails, memory and file are unchanged.
    ///
    /// - Throws: any error from `body`; ``GranaryError``: `usage` if the store is read-only; `refused` if the file
    ///   cannot hold a value (a reference to a missing object, or a character that XML lacks); `busy` if another
    ///   process has written the file meanwhile; `inputOutput`.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try checkWritable()
        return try memory.transaction { writer in
            let result = try body(writer)
            try write(metadata)
            return result
        }
    }

    /// Replaces ``metadata`` except for the identifier, and writes the file.
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

    /// Writes the file of an unpublished store.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if the name is taken; `refused` if the file cannot hold a value;
    ///   `inputOutput`.
    package func publish() throws(GranaryError) {
        guard stamp == nil else { return }
        let writer = ArchiveWriter(store: memory, metadata: metadata, encoding: encoding)
        stamp = try converting { try ArchiveFile.create(path) { try writer.write(to: $0) } }
    }

    /// Writes the file of an unpublished store under another name.
    ///
    /// - Throws: as ``publish()``.
    func publish(as path: String, replacing: Bool) throws(GranaryError) {
        let writer = ArchiveWriter(store: memory, metadata: metadata, encoding: encoding)
        try converting {
            if replacing, PublishedFile.isTaken(path) {
                let file = ArchiveFile.resolved(path)
                _ = try ArchiveFile.replace(file, known: try ArchiveFile.stamp(of: file)) { try writer.write(to: $0) }
            } else {
                _ = try ArchiveFile.create(path) { try writer.write(to: $0) }
            }
        }
    }

    /// Writes this unpublished store in the place of the file of another one.
    ///
    /// - Throws: ``GranaryError``: `busy` if another process has written the file meanwhile; as ``publish()``.
    func replace(_ other: ArchiveStore) throws(GranaryError) {
        stamp = other.stamp
        try converting { try write(metadata) }
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
