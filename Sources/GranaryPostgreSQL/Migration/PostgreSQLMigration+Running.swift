#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLMigration {
        /// Ends a dry run, so that the transaction is rolled back.
        private struct DryRun: Error {}

        /// Builds the new store at another place.
        func copy(
            _ source: PostgreSQLStore, to output: String, _ beforePublishing: ([MigratedStep]) throws -> Void
        ) throws {
            let target = try StorePlace(output, timeout: timeout)
            guard try !target.hasStore() else {
                throw GranaryError(
                    .uncreatable, "\(target.source): already has a store; use another schema (?schema=NAME)")
            }
            try source.reading {
                try target.begin()
                let built = try migrate(source, target) { $0 == steps.count - 1 ? target : nil }
                try beforePublishing(built.steps)
                guard !isDryRun else { return target.connection.rollBack("ROLLBACK") }
                try drop(built.schemas, target.connection)
                if built.store.layout.hasHistory { try built.store.recordChanges() }
                try built.store.publish()
            }
        }

        /// Builds the new store beside the old one, in the same transaction, and lets its tables take their place.
        func replace(
            _ source: PostgreSQLStore, _ place: StorePlace, _ beforePublishing: ([MigratedStep]) throws -> Void
        ) throws {
            let connection = place.connection
            let hashes = source.metadata.versionHashes
            let tables = source.layout.allNames.map(source.layout.qualified).joined(separator: ", ")
            // Locks are taken before the transaction has its snapshot. Readers are let in until the tables are replaced.
            let lock = isDryRun ? "ACCESS SHARE" : "SHARE ROW EXCLUSIVE"
            do {
                try connection.transaction(
                    "BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE \(tables) IN \(lock) MODE"
                ) {
                    guard try source.readMetadata().versionHashes == hashes else {
                        throw GranaryError(.busy, "\(source.source): was migrated by another process meanwhile")
                    }
                    let replacement = try TableReplacement(source, place, backup: backup)
                    let built = try migrate(source, place) { _ in nil }
                    try beforePublishing(built.steps)
                    guard !isDryRun else { throw DryRun() }
                    try replacement.run(built.store, in: built.schemas.last ?? place.namespace)
                    try drop(built.schemas, connection)
                }
            } catch is DryRun {}
        }

        /// Runs the steps.
        ///
        /// - Parameter place: the place of the store after a step; nil for a schema that is dropped at the end.
        private func migrate(
            _ source: PostgreSQLStore, _ target: StorePlace, place: (_ step: Int) -> StorePlace?
        ) throws -> (steps: [MigratedStep], store: PostgreSQLStore, schemas: [String]) {
            var current = source
            var schemas: [String] = []
            let results = try MigrationSteps.run(steps.count) { turn in
                let schema = steps[turn.index]
                let next: PostgreSQLStore
                let identifier = UUID(uuidString: source.identifier)
                let hasHistory = source.layout.hasHistory
                if let place = place(turn.index) {
                    next = try place.build(schema, identifier: identifier, hasHistory: hasHistory)
                } else {
                    let name = StorePlace.temporaryName()
                    schemas.append(name)
                    next = try StorePlace(target, namespace: name)
                        .build(schema, identifier: identifier, hasHistory: hasHistory)
                }
                let mapping = ModelMapping(from: current.schema, to: schema)
                let hooks = hooks(turn.index)
                let result = try StoreCopy(
                    source: current, destination: next, mapping: mapping, rules: turn.rules(try rules(turn.index)),
                    hooks: hooks, cancellation: cancellation
                ).run()
                if !turn.passesOver {
                    try MigratedHistory(of: current, to: next, mapping, keyOffsets: result.keyOffsets)?.copy()
                    if hooks.finish == nil { try result.tally.checkCounts(of: next, next.source) }
                }
                current = next
                return MigratedStep(mapping: mapping, result: result)
            }
            try current.completeAllKeys()
            return (results, current, schemas)
        }

        private func drop(_ schemas: [String], _ connection: PostgreSQLConnection) throws {
            for name in schemas {
                try connection.execute("DROP SCHEMA IF EXISTS \(SQLIdentifier.quoted(name)) CASCADE")
            }
        }
    }

    extension StorePlace {
        /// A name for a schema that exists inside one transaction only.
        static func temporaryName() -> String { "granary-migration-\(UUID().uuidString.lowercased())" }
    }
#endif
