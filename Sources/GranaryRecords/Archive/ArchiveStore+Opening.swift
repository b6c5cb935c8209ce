public import Foundation
package import GranaryBase
public import GranaryCoordination
public import GranaryFormats
package import GranaryModel
import GranaryPropertyLists

extension ArchiveStore {
    /// Opens an archive, or creates an empty one if there is no file.
    ///
    /// If another process creates it at the same time, that archive is opened.
    ///
    /// - Parameters:
    ///   - encoding: the encoding of a new file; an existing file keeps its encoding.
    ///   - readOnly: whether ``transaction(_:)`` is refused. No file is created then.
    /// - Throws: ``GranaryError``, as ``open(path:schema:readOnly:)``; `uncreatable` and `inputOutput` if the file
    ///   cannot be created.
    package static func openOrCreate(
        path: String, schema: Schema, encoding: PropertyListEncoding = .binary, readOnly: Bool = false
    ) throws(GranaryError) -> sending ArchiveStore {
        guard !readOnly, !PublishedFile.isTaken(path) else {
            return try open(path: path, schema: schema, readOnly: readOnly)
        }
        do throws(GranaryError) {
            try create(path: path, schema: schema, encoding: encoding).publish()
        } catch {
            guard error.code == .uncreatable, PublishedFile.isTaken(path) else { throw error }
        }
        return try open(path: path, schema: schema)
    }

    /// Opens an existing archive and reads all of it.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if there is no file; `refused` if it is not an archive, was written for
    ///   another model, or contradicts itself (the diagnostics say where); `busy` if it is changed meanwhile.
    package static func open(
        path: String, schema: Schema, readOnly: Bool = false
    ) throws(GranaryError) -> ArchiveStore {
        try converting {
            let path = ArchiveFile.resolved(path)
            let stamp = try ArchiveFile.stamp(of: path)
            let encoding = try detectedEncoding(of: path)
            let (memory, metadata) = try ArchiveReader.read(path: path, bytes: stamp.size, schema: schema)
            try checkUnchanged(path, stamp)
            return ArchiveStore(
                path: path, encoding: encoding, isReadOnly: readOnly, metadata: metadata, memory: memory, stamp: stamp)
        }
    }

    /// Opens an archive with the model in it.
    ///
    /// - Throws: as ``open(path:schema:readOnly:)``.
    package static func openWithOwnModel(path: String, readOnly: Bool = false) throws(GranaryError) -> ArchiveStore {
        let path = ArchiveFile.resolved(path)
        let stamp = try ArchiveFile.stamp(of: path)
        let schema = try ArchiveReader.schema(path: path, bytes: stamp.size)
        return try open(path: path, schema: schema, readOnly: readOnly)
    }

    /// Reads the metadata of an archive without knowing its model; rows are skipped.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if there is no file; `refused` if it is not an archive.
    package static func metadata(path: String) throws(GranaryError) -> StoreMetadata {
        let path = ArchiveFile.resolved(path)
        let stamp = try ArchiveFile.stamp(of: path)
        return try ArchiveReader.metadata(path: path, bytes: stamp.size)
    }

    /// Creates an empty archive in memory; publishing writes its file.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if the name is taken.
    package static func create(
        path: String, schema: Schema, encoding: PropertyListEncoding = .binary
    ) throws(GranaryError) -> ArchiveStore {
        guard !PublishedFile.isTaken(path) else { throw GranaryError(.uncreatable, "\(path): exists already") }
        return ArchiveStore(
            path: path, encoding: encoding, isReadOnly: false, metadata: ArchiveMetadata.make(schema),
            memory: InMemoryStore(schema: schema), stamp: nil)
    }

    /// Replaces the app's entries in the metadata of an archive, which is opened with its embedded model.
    ///
    /// - Throws: ``GranaryError``, as ``open(path:schema:readOnly:)`` and ``setMetadata(_:)``.
    static func setUserMetadata(_ entries: [PropertyListEntry], path: String) throws(GranaryError) {
        let path = ArchiveFile.resolved(path)
        let stamp = try ArchiveFile.stamp(of: path)
        let schema = try ArchiveReader.schema(path: path, bytes: stamp.size)
        let store = try open(path: path, schema: schema)
        try converting { try store.setUserMetadata(entries) }
    }

    /// Removes an archive; does nothing if there is no file.
    ///
    /// - Throws: ``GranaryError``: `refused` if it is not an archive; `busy` if another process is writing it;
    ///   `inputOutput`.
    static func destroy(path: String) throws(GranaryError) {
        guard PublishedFile.isTaken(path) else { return }
        let file = ArchiveFile.resolved(path)
        let stamp = try ArchiveFile.stamp(of: file)
        _ = try ArchiveReader.metadata(path: file, bytes: stamp.size)
        try ArchiveFile.remove(file, known: stamp)
        if PublishedFile.isLink(path) { try PublishedFile.remove(path) }
    }

    private static func checkUnchanged(_ path: String, _ stamp: FileStatus) throws(GranaryError) {
        guard FileStatus(path: path) == stamp else {
            throw GranaryError(.busy, "\(path): was changed by another process while it was read; open it again")
        }
    }

    private static func detectedEncoding(of path: String) throws -> PropertyListEncoding {
        let source = try ByteSource(path: path)
        var start = [UInt8](repeating: 0, count: 8)
        _ = try start.withUnsafeMutableBytes { try source.read(into: $0) }
        return PropertyListFormat.detect(start) == .binary ? .binary : .xml
    }
}

extension StoreLocation {
    /// A store in one property list that is read as a whole, and written as a whole by every save. Created if it does
    /// not exist. It replaces `NSBinaryStoreType`; the format is that of Granary's property-list export.
    public static func archive(_ url: URL, _ encoding: PropertyListEncoding = .binary) -> Self {
        Self(ArchiveStoreKind(file: url, encoding: encoding))
    }
}

private struct ArchiveStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = .propertyList
    let file: URL
    let encoding: PropertyListEncoding

    var url: URL? { file }
    private var path: String { file.path(percentEncoded: false) }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        try AutomaticMigration.open(description) { () throws(GranaryError) in
            try ArchiveStore.openOrCreate(
                path: path, schema: schema, encoding: encoding, readOnly: description.isReadOnly)
        } migrate: { () throws(GranaryError) in
            try ArchiveMigration.ofContainer(path: path, to: schema, isPart: description.isPart)
        }
    }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        try ArchiveStore.create(path: path, schema: schema, encoding: encoding)
    }

    func metadata() throws(GranaryError) -> StoreMetadata { try ArchiveStore.metadata(path: path) }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) {
        try ArchiveStore.setUserMetadata(entries, path: path)
    }

    func destroy(timeout: Duration) throws(GranaryError) { try ArchiveStore.destroy(path: path) }
}
