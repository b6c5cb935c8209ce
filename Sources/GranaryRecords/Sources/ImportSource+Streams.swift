import GranaryBase
public import GranaryFormats

/// Sources that are read while they arrive, such as the body of a request.
///
/// ```swift
/// let source = ImportSource.stream(name: "upload.csv") { request.body }
/// ```
/// The import holds one chunk at a time and lets the sequence wait for it. It has the stores while it waits for the
/// sequence, so the sequence must not use the stores of the container. If the sequence throws, the import ends with this
/// error and nothing is stored; if the import ends or is cancelled, the task that reads the sequence is cancelled.
///
/// A sequence is read once. For a rejects file the import keeps a copy of its bytes in a temporary file.
extension ImportSource {
    /// Chunks of bytes, such as `Data` or `[UInt8]`, as they arrive.
    ///
    /// - Parameters:
    ///   - name: the name in diagnostics.
    ///   - format: the format; nil for ``SourceOptions/format``, or the format that the name determines.
    ///   - makeChunks: returns the sequence at the start of the import.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        name: String, format: DataFormat? = nil, options: SourceOptions = SourceOptions(),
        _ makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> ImportSource where Chunks.Element: Sequence<UInt8> & SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        stream(name, format, options) { ByteFeed(chunks: makeChunks) }
    }

    /// Single bytes, such as those of a `FileHandle`, as they arrive.
    ///
    /// - Parameters:
    ///   - name: the name in diagnostics.
    ///   - format: the format; nil for ``SourceOptions/format``, or the format that the name determines.
    ///   - makeBytes: returns the sequence at the start of the import.
    public static func stream<Bytes: AsyncSequence & SendableMetatype>(
        name: String, format: DataFormat? = nil, options: SourceOptions = SourceOptions(),
        _ makeBytes: @escaping @Sendable () async throws -> Bytes
    ) -> ImportSource where Bytes.Element == UInt8, Bytes.AsyncIterator: SendableMetatype {
        stream(name, format, options) { ByteFeed(bytes: makeBytes) }
    }

    private static func stream(
        _ name: String, _ format: DataFormat?, _ options: SourceOptions, _ feed: @escaping @Sendable () -> ByteFeed
    ) -> ImportSource {
        let format = format ?? options.format(of: name)
        return ImportSource(name: name, format: format, entity: nil, options: options) { spool in
            ByteSource(feed(), name: name, spool: spool)
        }
    }

    /// Records as they arrive. Each has one field for each column; nil leaves the column out.
    ///
    /// ```swift
    /// let source = ImportSource.records(name: "sensor", columns: ["time", "value"]) {
    ///     readings.map { [.value(.date($0.time)), .value(.double($0.value))] }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: the name in diagnostics. Their line is the number of the record.
    ///   - makeRecords: returns the sequence at the first record. Granary calls it again to write a rejects file; the
    ///     sequence must then have the same records.
    public static func records<Records: AsyncSequence & SendableMetatype>(
        name: String, columns: [String], _ makeRecords: @escaping @Sendable () async throws -> Records
    ) -> ImportSource where Records.Element == [RecordField?], Records.AsyncIterator: SendableMetatype {
        records(name: name) { StreamedRecords(name: name, columns: columns, makeRecords) }
    }
}
