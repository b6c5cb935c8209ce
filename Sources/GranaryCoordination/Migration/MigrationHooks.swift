/// What a copy of a store calls.
package struct MigrationHooks: Sendable {
    /// Called at the start, after each batch, and when the indexes are built; nil if nobody wants to know.
    package var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Called when all objects and links are written, with the new store inside its transaction.
    package var finish: (@Sendable (OpenTransaction) throws -> Void)?

    package init() {}
}
