public import GranaryBase

/// Reads records from a source, one after the other, in memory that does not grow with the source.
///
/// Implement it to import a format that Granary does not have, or to change what another reader reads
/// (``ImportSource/makeReader()``):
///
/// ```swift
/// final class LineReader: RecordReader {
///     let sourceName = "lines"
///     let columns = ["name"]
///     private var lines: ArraySlice<String>
///     private var number = 0
///
///     init(_ lines: [String]) { self.lines = lines[...] }
///
///     func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
///         guard let line = lines.popFirst() else { return .end }
///         number += 1
///         record.begin(number: number, line: number)
///         try record.append(.value(.text(line)), column: 0)
///         return .record
///     }
/// }
/// ```
public protocol RecordReader: AnyObject {
    /// The source's name, for diagnostics.
    var sourceName: String { get }
    /// The columns or member names met so far. CSV knows them after the header; JSON and property lists meet
    /// new ones as they read on, and then the list grows at its end.
    var columns: [String] { get }
    /// The entity names that the source itself gives, met so far; empty where it gives none.
    var entities: [String] { get }

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
    /// Empty: the source names no entities.
    public var entities: [String] { [] }

    /// Does nothing: a format without a header.
    public func readHeader() throws(GranaryError) {}

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
