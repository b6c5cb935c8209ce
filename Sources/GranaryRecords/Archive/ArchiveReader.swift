import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPropertyLists

/// Reads an archive into a store in memory.
///
/// bytes → records (`PropertyListReader`) → rows, each checked and inserted (``ArchiveRows``) → links, checked and set
/// after all rows (``ArchiveLinks``) → versions and last keys (``ArchiveMetadata``). The model is last in the file, so
/// problems of rows are reported only after the model is known to fit.
enum ArchiveReader {
    /// - Parameter bytes: the length of the file, from which the limits are computed.
    /// - Throws: ``GranaryError`` with code `refused` for any error in the file, with its position in the diagnostics.
    static func read(
        path: String, bytes: Int64, schema: Schema
    ) throws -> (memory: InMemoryStore, metadata: StoreMetadata) {
        let limits = ArchiveLimits(fileBytes: bytes)
        let reader = PropertyListReader(try ByteSource(path: path), options: limits.readerOptions)
        var rows = ArchiveRows(schema: schema, source: path)
        var record = Record()
        var valueBytes = 0
        reading: while true {
            switch try reader.next(into: &record) {
            case .record:
                guard record.entity >= 0 else { throw noArchive(path) }
                valueBytes += record.bytes.count
                guard valueBytes <= limits.valueBytes else { throw limits.exceeded(path) }
                try rows.add(record, columns: reader.columns, tables: reader.entities)
            case .malformed(let problem): rows.problems.add(problem)
            case .end: break reading
            }
        }
        let metadata = try storedMetadata(of: reader, path)
        try checkModel(reader.model, against: schema, path)
        rows.checkNames(of: reader.entities)
        try rows.problems.check(archive: path)
        try rows.links.apply(to: rows.memory, &rows.problems)
        if let list = reader.metadata { ArchiveMetadata.restore(list, into: rows.memory, &rows.problems) }
        try rows.problems.check(archive: path)
        return (rows.memory, metadata)
    }

    /// Reads only the metadata of an archive.
    static func metadata(path: String, bytes: Int64) throws(GranaryError) -> StoreMetadata {
        try storedMetadata(of: try readThrough(path, bytes), path)
    }

    /// Reads only the model of an archive.
    static func schema(path: String, bytes: Int64) throws(GranaryError) -> Schema {
        let reader = try readThrough(path, bytes)
        _ = try storedMetadata(of: reader, path)
        return try storedSchema(reader.model, path)
    }

    private static func readThrough(_ path: String, _ bytes: Int64) throws(GranaryError) -> PropertyListReader {
        let options = ArchiveLimits(fileBytes: bytes).readerOptions
        let reader = PropertyListReader(try ByteSource(path: path), options: options)
        var record = Record()
        while true {
            if case .end = try reader.next(into: &record) { return reader }
        }
    }

    private static func storedMetadata(of reader: PropertyListReader, _ path: String) throws(GranaryError)
        -> StoreMetadata
    {
        guard let list = reader.metadata else {
            guard reader.model != nil else { throw noArchive(path) }
            throw GranaryError(
                Diagnostic(
                    .storeCorrupt,
                    "\(path): is an export, not an archive store: it has no metadata; import it into a store"))
        }
        return try ArchiveMetadata.read(list, path: path)
    }

    private static func checkModel(_ text: [UInt8]?, against schema: Schema, _ path: String) throws(GranaryError) {
        let stored = try storedSchema(text, path)
        let differences = StoreMetadata(schema: stored, identifier: "").differences(from: schema)
        guard differences.isEmpty else {
            throw GranaryError(.refused, "\(path): the model does not fit the store", diagnostics: differences)
        }
    }

    private static func storedSchema(_ text: [UInt8]?, _ path: String) throws(GranaryError) -> Schema {
        guard let text else { throw GranaryError(Diagnostic(.storeCorrupt, "\(path): has no embedded model")) }
        do {
            return try JSONDecoder().decode(ManagedObjectModel.self, from: Data(text)).resolved()
        } catch {
            let reason = (error as? GranaryError)?.message ?? Diagnostic.shortened("\(error)")
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(path): the embedded model cannot be read: \(reason)"))
        }
    }

    private static func noArchive(_ path: String) -> GranaryError {
        GranaryError(.refused, "\(path): is a property list, but not an archive store")
    }
}
