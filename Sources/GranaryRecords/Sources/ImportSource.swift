public import Foundation
public import GranaryBase
public import GranaryFormats
package import GranaryModel

/// Something to import: a file, bytes, a text, a constant table, rows of an SQLite database, or the records of a reader.
///
/// ```swift
/// let job = ImportJob(
///     entity: "Patient", sources: [.file(URL(filePath: "patients.csv")), .text("name,age\nAnn,7", format: .csv)])
/// ```
///
/// Granary may read a source twice: the second time for the rejects file, or because a document contains a nested object
/// after references to objects of its entity.
public struct ImportSource: Sendable {
    /// The name of the source in diagnostics.
    public let name: String
    /// Opens it from its start.
    package private(set) var open: @Sendable () throws(GranaryError) -> any RecordReader
    /// Whether its records can contain objects. Those of CSV files and constant tables cannot.
    package let nests: Bool
    /// The entity that a file is named after, in a format that does not name entities. Jobs with an entity ignore it.
    package let entity: String?
    /// Why the source cannot be opened, if that is known without trying.
    package let problem: GranaryError?
    /// The sidecar beside a file.
    package let sidecar: ImportSidecar?
    /// The places of records that its options name.
    package private(set) var places: [RecordPlace] = []
    private var bytes: SourceBytes?
    /// Where the bytes come from.
    var origin = Origin.other

    enum Origin: Sendable {
        case memory
        case file(path: String)
        /// An SQLite database.
        case database(path: String)
        /// Standard input, or the records of a reader.
        case other
    }

    /// Whether the same records can be read again, before ``keepBytes(in:)``. A pipe can be read only once.
    package var canBeReadAgain: Bool {
        switch origin {
        case .memory: true
        case .file(let path), .database(let path):
            (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType == .typeRegular
        case .other: false
        }
    }

    package init(
        name: String, nests: Bool = true, entity: String? = nil, problem: GranaryError? = nil,
        open: @escaping @Sendable () throws(GranaryError) -> any RecordReader
    ) {
        self.init(name: name, nests: nests, entity: entity, problem: problem, sidecar: nil, open: open)
    }

    private init(
        name: String, nests: Bool, entity: String?, problem: GranaryError?, sidecar: ImportSidecar?,
        open: @escaping @Sendable () throws(GranaryError) -> any RecordReader
    ) {
        self.name = name
        self.nests = nests
        self.entity = entity
        self.problem = problem
        self.sidecar = sidecar
        self.open = open
    }

    /// A source of bytes in a format that is nil if nothing determines it.
    init(
        name: String, format: DataFormat?, entity: String?, options: SourceOptions, sidecar: ImportSidecar? = nil,
        problem known: GranaryError? = nil,
        open: @escaping @Sendable (ByteSpool?) throws(GranaryError) -> ByteSource
    ) {
        let bytes = SourceBytes { spool throws(GranaryError) in
            // The import itself keeps the bytes of delimited records that it needs again.
            try open(format?.isDelimited == true ? nil : spool)
        }
        let unknown =
            format == nil ? GranaryError(.usage, "cannot tell the format from '\(name)'; set the format") : nil
        let problem = known ?? unknown
        self.init(name: name, nests: format?.nests ?? true, entity: entity, problem: problem, sidecar: sidecar) {
            () throws(GranaryError) -> any RecordReader in
            guard let format else { throw problem ?? GranaryError(.internalDefect, "\(name) has no format") }
            return try options.reader(try bytes.fromStart(), format: format)
        }
        self.bytes = bytes
        if format?.holdsSeveralEntities ?? false { places = options.recordPlaces }
    }

    /// Returns a reader of the records. A custom reader can wrap it to change them.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a missing file, `usage` for options that contradict each other.
    public func makeReader() throws(GranaryError) -> any RecordReader { try open() }

    /// Returns a reader of the records for a job.
    ///
    /// - Parameters:
    ///   - jobEntity: the entity that the job names; nil if the sources name their entities.
    ///   - schema: the model of the store.
    package func reader(jobEntity: String?, in schema: Schema) throws(GranaryError) -> any RecordReader {
        let reader = try open()
        guard jobEntity == nil, let entity else { return reader }
        return EntityReader(reader, entity: self.entity(in: schema)?.name ?? entity)
    }

    /// The same source, with other readers around its own.
    package func wrapped(_ wrap: @escaping @Sendable (any RecordReader) -> any RecordReader) -> ImportSource {
        let base = open
        var result = self
        result.open = { () throws(GranaryError) in wrap(try base()) }
        return result
    }

    /// Keeps the bytes that are read, so that the source can be read again as it was. Does nothing for sources that
    /// need no copy.
    package func keepBytes(in spool: ByteSpool) { bytes?.keep(in: spool) }
}

extension ImportSource {
    /// A file. gzip-compressed files are decompressed while they are read.
    ///
    /// If the job has no entity, a CSV, TSV or JSON Lines file contains the entity that it is named after, as in an
    /// exported folder. The sidecar of an export beside the file is read at once; it tells the entity, the form of
    /// values and the folder of values that are files of their own. Options that are set have precedence.
    ///
    /// - Parameter options: how to read it; the format follows from the file's name if ``SourceOptions/format`` is nil.
    public static func file(_ url: URL, options: SourceOptions = SourceOptions()) -> ImportSource {
        file(path: url.path(percentEncoded: false), options: options)
    }

    /// A file by its path, which diagnostics repeat as it is.
    package static func file(path: String, options: SourceOptions) -> ImportSource {
        if let content = options.databaseContent { return database(path, content, options) }
        let format = options.format(ofFile: path)
        let named = format?.isNamedAfterEntity == true ? DataFormat.baseName(of: path) : nil
        var options = options
        var sidecar: ImportSidecar?
        var problem: GranaryError?
        do throws(GranaryError) { sidecar = try ImportSidecar.find(besides: path) } catch { problem = error }
        if problem == nil { problem = otherContent(of: path, format, options) }
        // A row of NULLs is an object.
        if sidecar != nil, format?.isDelimited == true { options.blankRows = .null }
        if let sidecar = sidecar?.sidecar, let format { options.apply(sidecar, format) }
        var source = ImportSource(
            name: path, format: format, entity: sidecar?.entity ?? named, options: options, sidecar: sidecar,
            problem: problem
        ) {
            spool throws(GranaryError) in try ByteSource(path: path, spool: spool)
        }
        source.origin = .file(path: path)
        return source
    }

    /// A temporary file without a sidecar, under a name that tells a user more than its path.
    package static func temporaryFile(path: String, named name: String, options: SourceOptions) -> ImportSource {
        var source = ImportSource(name: name, format: options.format(ofFile: path), entity: nil, options: options) {
            spool throws(GranaryError) in try ByteSource(path: path, named: name, spool: spool)
        }
        source.origin = .file(path: path)
        return source
    }

    /// The error for a file that is no data, whatever its name says. A pipe is not looked at, because its bytes come once.
    private static func otherContent(
        of path: String, _ format: DataFormat?, _ options: SourceOptions
    ) -> GranaryError? {
        guard format != .terms, FileKind(path) == .file, let source = try? ByteSource(path: path) else { return nil }
        let mayHaveNUL = options.allowsNUL || options.encoding != nil || format == .plist
        return (try? FileContent(of: source))?.problem(of: path, mayHaveNUL: mayHaveNUL)
    }

    /// Standard input.
    ///
    /// - Parameter options: how to read it, with the format.
    public static func standardInput(options: SourceOptions) -> ImportSource {
        ImportSource(name: "<stdin>", format: options.format, entity: nil, options: options) {
            ByteSource.standardInput(spool: $0)
        }
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: the name in diagnostics.
    ///   - options: how to read them, with the format or a name that determines it.
    public static func bytes(_ bytes: Data, name: String, options: SourceOptions = SourceOptions()) -> ImportSource {
        let bytes = [UInt8](bytes)
        var source = ImportSource(name: name, format: options.format(of: name), entity: nil, options: options) { _ in
            ByteSource(bytes: bytes, name: name)
        }
        source.origin = .memory
        return source
    }

    /// A text in memory.
    ///
    /// - Parameters:
    ///   - format: its format; it overrides ``SourceOptions/format``.
    ///   - name: the name in diagnostics.
    public static func text(
        _ text: String, format: DataFormat, name: String = "<text>", options: SourceOptions = SourceOptions()
    ) -> ImportSource {
        var options = options
        options.format = format
        return bytes(Data(text.utf8), name: name, options: options)
    }

    /// A constant table: `Burn%Fracture%Laceration` with the delimiter `%`.
    ///
    /// - Parameters:
    ///   - attribute: the attribute that the terms are values of.
    ///   - ordinal: an integer attribute that receives the number of each term, from 0; nil for none.
    ///   - name: the name in diagnostics.
    public static func terms(
        _ text: String, delimiter: String, attribute: String, ordinal: String? = nil, name: String = "<terms>"
    ) -> ImportSource {
        var options = SourceOptions()
        options.delimiter = delimiter
        options.attributes = [attribute]
        options.ordinal = ordinal
        return terms(text, name: name, options: options)
    }

    /// A constant table, read with ``SourceOptions/delimiter``, ``SourceOptions/attributes``,
    /// ``SourceOptions/fieldDelimiter`` and ``SourceOptions/ordinal``.
    public static func terms(_ text: String, name: String = "<terms>", options: SourceOptions) -> ImportSource {
        var source = ImportSource(name: name, nests: false) { () throws(GranaryError) -> any RecordReader in
            try TermsReader(text: text, name: name, options: options.termsOptions)
        }
        source.origin = .memory
        return source
    }

    /// The records of a reader, which may be of your own.
    ///
    /// - Parameters:
    ///   - name: the name in diagnostics.
    ///   - makeReader: returns a new reader at the first record. Granary may call it again.
    public static func records(
        name: String, _ makeReader: @escaping @Sendable () throws(GranaryError) -> any RecordReader
    ) -> ImportSource {
        ImportSource(name: name) { () throws(GranaryError) in CheckedReader(try makeReader()) }
    }
}
