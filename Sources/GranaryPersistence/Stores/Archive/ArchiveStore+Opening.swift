package import GranaryBase
package import GranaryFormats
package import GranaryModel
import GranaryPropertyLists

extension ArchiveStore {
    /// Opens the archive of that name, or makes an empty one where there is nothing.
    ///
    /// Another process that makes one at the same time wins: its archive is then opened.
    ///
    /// - Parameters:
    ///   - encoding: how a new file is written; one that exists keeps its own.
    ///   - readOnly: whether ``transaction(_:)`` will be refused. Nothing is made then.
    /// - Throws: ``GranaryError``, as ``open(path:schema:readOnly:)``; `uncreatable` and `inputOutput` when none can be made.
    package static func openOrCreate(
        path: String, schema: Schema, encoding: PropertyListWriter.Encoding = .binary, readOnly: Bool = false
    ) throws(GranaryError) -> sending ArchiveStore {
        guard !readOnly, !PublishedFile.isTaken(path) else {
            return try open(path: path, schema: schema, readOnly: readOnly)
        }
        do throws(GranaryError) {
            try create(path, schema, encoding)
        } catch {
            guard error.code == .uncreatable, PublishedFile.isTaken(path) else { throw error }
        }
        return try open(path: path, schema: schema)
    }

    /// Opens an archive that exists, and reads all of it.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no archive, was written for another
    ///   model, or contradicts itself (what is wrong, and where, is in the diagnostics); `busy` when it is changed
    ///   meanwhile.
    package static func open(
        path: String, schema: Schema, readOnly: Bool = false
    ) throws(GranaryError) -> ArchiveStore {
        try converting {
            let path = ArchiveFile.resolved(path)
            let stamp = try ArchiveFile.stamp(of: path)
            let encoding = try detectedEncoding(of: path)
            let (memory, metadata) = try ArchiveReader.read(path: path, bytes: stamp.bytes, schema: schema)
            try checkUnchanged(path, stamp)
            return ArchiveStore(
                path: path, encoding: encoding, isReadOnly: readOnly, metadata: metadata, memory: memory, stamp: stamp)
        }
    }

    /// What an archive says about itself, without its model being known: its rows are passed over.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no archive.
    package static func metadata(path: String) throws(GranaryError) -> StoreMetadata {
        let path = ArchiveFile.resolved(path)
        let stamp = try ArchiveFile.stamp(of: path)
        return try ArchiveReader.metadata(path: path, bytes: stamp.bytes)
    }

    private static func create(
        _ path: String, _ schema: Schema, _ encoding: PropertyListWriter.Encoding
    ) throws(GranaryError) {
        try converting {
            let writer = ArchiveWriter(
                store: InMemoryStore(schema: schema), metadata: ArchiveMetadata.make(schema), encoding: encoding)
            try ArchiveFile.create(path) { try writer.write(to: $0) }
        }
    }

    private static func checkUnchanged(_ path: String, _ stamp: FileStamp) throws(GranaryError) {
        guard FileStamp(path: path) == stamp else {
            throw GranaryError(.busy, "\(path): was changed by another process while it was read; open it again")
        }
    }

    private static func detectedEncoding(of path: String) throws -> PropertyListWriter.Encoding {
        let source = try ByteSource(path: path)
        var start = [UInt8](repeating: 0, count: 8)
        _ = try start.withUnsafeMutableBytes { try source.read(into: $0) }
        return PropertyListFormat.detect(start) == .binary ? .binary : .xml
    }
}
