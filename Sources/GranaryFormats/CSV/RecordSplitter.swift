import GranaryBase

/// Splits bytes into fields and records, strictly by RFC 4180, and passes them to a ``CSVBatch``. It keeps its state
/// between chunks. All implementations make the same calls for the same bytes.
protocol RecordSplitter: AnyObject {
    /// Splits a range of the batch's raw bytes, which follows the range of the last call.
    ///
    /// - Parameter place: the splitter may pause at the first record that starts after this offset.
    /// - Throws: ``GranaryError`` with code `inputOutput` if memory cannot be allocated.
    func split(
        _ batch: UnsafeMutablePointer<CSVBatch>, _ range: Range<Int>, pausingBehind place: Int
    ) throws(GranaryError) -> SplitOutcome

    /// Ends the last field and the last record.
    ///
    /// - Returns: false if a quote is open. Otherwise the splitter is at the start of a record.
    func finish(_ batch: UnsafeMutablePointer<CSVBatch>) -> Bool

    /// Resets the state to the start of a record.
    func reset()

    /// The number of decoded bytes of the unfinished field.
    func openFieldBytes(_ batch: UnsafeMutablePointer<CSVBatch>, to end: Int) -> Int

    /// Whether the unfinished field began with a quote.
    var isQuoted: Bool { get }

    /// Whether the last byte ended a record, or no byte was read.
    var isAtRecordStart: Bool { get }
}
