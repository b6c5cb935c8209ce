import GranaryModel
package import GranaryPredicates

/// A search that a store has translated, as far as it can. The store tests ``StoreSearch/afterKey`` itself.
package protocol PreparedSearch {
    /// The condition that the store does not test: the caller tests it on each row. Nil if there is none.
    var rest: ObjectPredicate? { get }
    /// Whether the rows come in the order of the search; otherwise they come in the order of their keys.
    var isOrdered: Bool { get }

    /// Reads the rows that satisfy the translated conditions; `body` returns false to stop.
    func read(
        limit: Int?, offset: Int, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws

    /// Returns the number of rows that satisfy the translated conditions.
    func count() throws -> Int

    /// Reads only the entities and keys of the rows; `body` returns false to stop.
    func keys(limit: Int?, offset: Int, _ body: (_ entity: Int, _ key: Int64) throws -> Bool) throws
}
