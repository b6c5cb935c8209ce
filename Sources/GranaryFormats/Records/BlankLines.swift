/// How to read a blank line in a CSV file of one column, and a row of delimiters alone in a file of several.
public enum BlankLines: String, Sendable, CaseIterable {
    /// Skip it and count it.
    case skip
    /// Read a record whose fields are NULL.
    case null
}
