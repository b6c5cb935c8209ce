/// What a copy of a store calls.
package struct MigrationHooks: Sendable {
    /// Called after each batch with the number of objects that were read, and of all objects; nil if nobody wants to know.
    package var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
    /// Called when all objects and links are written, with the new store inside its transaction.
    package var finish: (@Sendable (OpenTransaction) throws -> Void)?

    package init() {}
}
