/// The rows of a batch in a store's format, made by a ``RowEncoder``.
package protocol EncodedRows: AnyObject, Sendable {
    /// Removes all rows.
    func removeAll()
}
