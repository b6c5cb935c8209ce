package import GranaryBase

/// A writer whose rows can be formatted apart from its output, so that several threads can format them.
package protocol SplitWriter: ValueWriter {
    associatedtype Part: ValueWriter

    /// Creates a writer that formats rows of the current table and keeps them. Another thread can use it.
    ///
    /// - Parameter columns: the columns of the current table.
    func makePart(columns: [String]) throws(GranaryError) -> Part

    /// Writes the rows of a part after the rows that were written before, and removes them from the part.
    func append(rowsOf part: Part) throws(GranaryError)
}
