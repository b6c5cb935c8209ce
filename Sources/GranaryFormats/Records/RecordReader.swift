public import GranaryBase

/// Reads records from a source one by one, in memory that does not grow with the source.
///
/// Implement it to import a format that Granary does not support, or to change what another reader reads
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
    /// The columns or member names found so far. For CSV they are known after the header; in JSON and property lists
    /// new names are appended while records are read.
    var columns: [String] { get }
    /// The entity names found in the source so far; empty if the source names no entities.
    var entities: [String] { get }

    /// The position of a column's name in the header, or of the header itself for nil; nil in formats without a header.
    /// Diagnostics of unknown columns use it, unless the source names its entities.
    func headerPosition(ofColumn index: Int?) -> SourcePosition?

    /// Reads the header, if the format has one, so that ``columns`` is known before the first record.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the header is malformed, or as reading the bytes throws.
    func readHeader() throws(GranaryError)

    /// Reads the next record into `record`.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the rest of the source cannot be read, or `inputOutput` if the
    ///   system cannot read.
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
