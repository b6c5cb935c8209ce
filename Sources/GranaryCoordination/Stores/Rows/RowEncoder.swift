/// Encodes rows before they are inserted. Threads may share an encoder if each encodes its own batch.
package protocol RowEncoder: Sendable {
    /// Encodes the rows of a batch that can be encoded without their primary keys, into ``RowBatch/encoded``.
    ///
    /// Later changes of cells must go through ``RowBatch/subscript(row:slot:)``, which discards the row's encoded form.
    func encode(_ batch: inout RowBatch)
}
