package import GranaryBase
package import GranaryCoordination
package import GranaryModel

/// Migrates a PostgreSQL store to another model: through one or several inferred steps, in one transaction.
///
/// The new tables are built in a schema of their own, and take the place of the old ones when they are complete. Other
/// sessions can read the old tables until then and cannot write to them.
package struct PostgreSQLMigration {
    /// The connection string of the store.
    package let text: String
    /// The connection string of the new store; nil to replace the store.
    package let output: String?
    /// The model of the store.
    package let schema: Schema
    /// The model of each step, the last one that of the new store.
    package let steps: [Schema]

    /// How what the mapping leaves open is treated.
    package var rules: (_ step: Int) throws -> MigrationRules = { _ in MigrationRules() }
    /// What each step calls.
    package var hooks: (_ step: Int) -> MigrationHooks = { _ in MigrationHooks() }
    /// The schema to which the old tables are moved; nil to drop them.
    package var backup: String?
    /// Whether everything is rolled back at the end.
    package var isDryRun = false
    package var timeout = Duration.seconds(5)
    package var cancellation: Cancellation?

    package init(_ text: String, output: String?, schema: Schema, steps: [Schema]) {
        self.text = text
        self.output = output
        self.schema = schema
        self.steps = steps
    }

    /// Migrates a store that a container opens, with the model in the store. The old tables are dropped.
    ///
    /// - Returns: false if the store was written for another part of the model.
    /// - Throws: ``GranaryError``: `refused` if no mapping is inferred or objects do not fit; as ``run(beforePublishing:)``.
    static func ofContainer(
        _ text: String, to schema: Schema, isPart: Bool, timeout: Duration
    ) throws(GranaryError) -> Bool {
        let hashes = try PostgreSQLStores.metadata(text, timeout: timeout).versionHashes
        guard !AutomaticMigration.isOfOtherPart(hashes, schema, isPart: isPart) else { return false }
        let old = try PostgreSQLStores.model(text, timeout: timeout).resolved()
        let name = ConnectionText.displayName(of: text)
        _ = try AutomaticMigration.mapping(from: old, to: schema, of: name)
        var migration = PostgreSQLMigration(text, output: nil, schema: old, steps: [schema])
        migration.rules = { _ in .ofContainers }
        migration.timeout = timeout
        migration.cancellation = Cancellation.current
        do throws(GranaryError) { try migration.run() } catch {
            // Another process may have migrated the store at the same time.
            if error.code == .busy, try PostgreSQLStores.metadata(text).versionHashes == schema.versionHashes {
                return true
            }
            throw error
        }
        return true
    }

    /// - Parameter beforePublishing: runs when the new store is complete, before the commit. It throws to keep the store
    ///   as it is.
    /// - Throws: ``GranaryError``: `refused` with a diagnostic for each kind of problem of each property, or for what
    ///   other programs have added to the tables; `uncreatable` if the output or the backup exists; `busy`; any error of
    ///   `beforePublishing`. The store is unchanged then.
    package func run(beforePublishing: ([MigratedStep]) throws -> Void = { _ in }) throws(GranaryError) {
        #if PostgreSQL
            try converting {
                let place = try StorePlace(text, timeout: timeout)
                let source = try place.open(schema: schema, readOnly: output != nil || isDryRun)
                try output.map { try copy(source, to: $0, beforePublishing) }
                    ?? replace(source, place, beforePublishing)
            }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }
}
