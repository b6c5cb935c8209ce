import Foundation
import GranaryBase

/// Splits bytes into fields and records, strictly by RFC 4180, and passes them to a ``CSVBatch``. It keeps its state between
/// two chunks. Both splitters make the same calls for the same bytes.
protocol RecordSplitter: AnyObject {
    /// Splits the batch's raw bytes of a range, which follows the range of the last call.
    ///
    /// - Parameter place: the splitter may pause at the first record that starts after this offset.
    /// - Throws: ``GranaryError`` with code `inputOutput` where there is no memory.
    func split(
        _ batch: UnsafeMutablePointer<CSVBatch>, _ range: Range<Int>, pausingBehind place: Int
    ) throws(GranaryError) -> SplitOutcome

    /// Ends the last field and the last record.
    ///
    /// - Returns: whether that is allowed: a quote may be open. The splitter then stands at the start of a record.
    func finish(_ batch: UnsafeMutablePointer<CSVBatch>) -> Bool

    /// Goes back to the start of a record.
    func reset()

    /// The number of decoded bytes of the unfinished field.
    func openFieldBytes(_ batch: UnsafeMutablePointer<CSVBatch>, to end: Int) -> Int

    /// Whether the unfinished field began with a quote.
    var isQuoted: Bool { get }

    /// Whether the last byte ended a record, or none was read.
    var isAtRecordStart: Bool { get }
}

/// How far a ``RecordSplitter`` has come.
enum SplitOutcome {
    case taken(to: Int)
    /// Where the record at hand is broken: a quote inside a bare field, or text behind a closing quote. The splitter then
    /// stands at the start of a record.
    case broken(at: Int)
}

/// What splits the bytes of delimited files. (`--tokenizer`)
package enum CSVSplitting: String, Sendable, CaseIterable {
    /// Granary's own splitter, which looks at 64 bytes at a time.
    case native
    /// The library libcsv.
    case libcsv

    /// What the environment variable `GRANARY_TOKENIZER` says; ``native`` if it says nothing.
    package static let standard =
        ProcessInfo.processInfo.environment["GRANARY_TOKENIZER"].flatMap(CSVSplitting.init) ?? .native
}
