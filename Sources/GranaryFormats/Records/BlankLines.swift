/// How a blank line is read in a CSV file of one column.
public enum BlankLines: String, Sendable, CaseIterable {
    /// Skip the line and count it.
    case skip
    /// Read a record whose field is NULL.
    case null
}
