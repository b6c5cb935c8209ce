package import GranaryBase
package import GranaryCoordination
package import GranaryModel

/// Objects that a run adds after its records and in the same transaction, such as generated ones.
package protocol AddedObjects: Sendable {
    /// Checks that the model has what the objects need, before a store is opened.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    func check(against schema: Schema) throws(GranaryError)

    /// Adds the objects to a store.
    ///
    /// - Parameter beforeRows: called when everything is checked, before the first row is written.
    /// - Returns: the numbers of added objects.
    func add(
        to store: any StoreBackend, _ writer: any StoreWriter, cancellation: Cancellation?,
        beforeRows: () throws -> Void
    ) throws -> [EntityCount]
}
