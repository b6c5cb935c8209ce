public import GranaryBase

/// Reads records from a source, one after the other, in memory that does not grow with the source.
///
/// The readers are ``CSVReader``, ``TermsReader``, ``JSONReader`` and ``PropertyListReader``.
public protocol RecordReader: AnyObject {
    /// The source's name, for diagnostics.
    var sourceName: String { get }
    /// The columns or member names met so far. CSV knows them after the header; JSON and property lists meet
    /// new ones as they read on, and then the list grows at its end.
    var columns: [String] { get }
    /// The entity names that the source itself gives, met so far; empty where it gives none.
    var entities: [String] { get }

    /// The bytes that it reads; nil where they cannot be watched.
    var source: ByteSource? { get }

    /// Where a column is named once for all records, or, without an index, where the header begins; nil in formats
    /// without a header.
    func headerPosition(ofColumn index: Int?) -> SourcePosition?

    /// Reads the header, where the format has one, so that ``columns`` is known before the first record.
    ///
    /// - Throws: ``GranaryError`` with code `refused` when the header is broken, or as reading the bytes throws.
    func readHeader() throws(GranaryError)

    /// Reads the next record into `record`.
    ///
    /// - Throws: ``GranaryError`` with code `refused` when the rest of the source cannot be read on, or
    ///   `inputOutput` when the system cannot read.
    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome
}

extension RecordReader {
    /// Nil: nobody can watch the bytes.
    public var source: ByteSource? { nil }

    /// Nil: a format without a header.
    public func headerPosition(ofColumn index: Int?) -> SourcePosition? { nil }
}

/// What one call of ``RecordReader/next(into:)`` found.
public enum ReadOutcome: Sendable {
    /// A whole record.
    case record
    /// A record that its format does not allow. It counts as read and rejected; reading goes on behind it.
    case malformed(Diagnostic)
    /// The end of the source.
    case end
}
