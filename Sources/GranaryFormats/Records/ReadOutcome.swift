public import GranaryBase

/// The result of ``RecordReader/next(into:)``.
public enum ReadOutcome: Sendable {
    /// A whole record.
    case record
    /// A record that violates its format. It counts as read and rejected; reading continues after it.
    case malformed(Diagnostic)
    /// The end of the source.
    case end
}
