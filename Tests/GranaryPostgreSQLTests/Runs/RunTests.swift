#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Reverting runs in PostgreSQL stores, as far as it differs from SQLite stores. What they have in common is tested
        /// with both kinds: `RunRevertTests`.
        @Suite struct RunTests {
            private let server: PostgreSQLServer
            private let name = "r\(UUID().uuidString.prefix(8).lowercased())"
            private var url: String { server.url(schema: name) }

            init() throws { server = try PostgreSQLServer.required() }

            private static func model(_ more: [PropertyDescription] = []) -> ManagedObjectModel {
                var person = EntityDescription(
                    "Person",
                    [
                        .attribute("name", .string), .toMany("friends", "Person", inverse: "admirers"),
                        .toMany("admirers", "Person", inverse: "friends"),
                    ] + more)
                person.uniquenessConstraints = [["name"]]
                return ManagedObjectModel(entities: [person])
            }

            private struct Bench {
                let bench: StoreBench
                let store: PostgreSQLStore
                let person: Schema.Entity

                func row(_ key: Int64, _ name: String?) throws -> RowBatch {
                    try bench.row("Person", key, name.map { ["name": .string($0)] } ?? [:])
                }

                func record(_ id: String, _ body: (any StoreWriter) throws -> Void) throws {
                    try store.transaction(recording: id) { writer in
                        try body(writer)
                        try writer.recordRun(
                            ImportRun(id: id, counts: ImportRun.Counts(), sources: [], isRevertible: true))
                    }
                }
            }

            /// A store; a published one has the people 1 to 3 and their names a to c.
            private func bench(
                _ model: ManagedObjectModel = Self.model(), isPublished: Bool = true
            ) throws -> Bench {
                let bench = try StoreBench(
                    StoreFactory(name: "") { [url] schema in
                        let store = try PostgreSQLStores.create(url, schema: schema)
                        if isPublished { try store.publish() }
                        return OpenedStore(store: store, url: url)
                    }, model: model)
                let made = Bench(
                    bench: bench, store: try #require(bench.store as? PostgreSQLStore),
                    person: try bench.entity("Person"))
                guard isPublished else { return made }
                try made.store.transaction { writer in
                    for (key, name) in [(1, "a"), (2, "b"), (3, "c")] as [(Int64, String)] {
                        try writer.insert(try made.row(key, name))
                    }
                }
                return made
            }

            @discardableResult
            private func sql(_ text: String) throws -> String {
                try server.sql("SET search_path = \"\(name)\"; \(text)")
            }

            private func refusal(_ bench: Bench, _ run: String = "run-1") -> String {
                do {
                    try bench.store.revert(run: run)
                    return ""
                } catch { return "\(error)" }
            }

            @Test func theRunOfANewStoreIsTakenBack() throws {
                let bench = try bench(isPublished: false)
                let store = bench.store
                let friends = try #require(bench.person.relationship(named: "friends"))
                try bench.record("run-1") { writer in
                    writer.bulk?.deferIndexes()
                    for key in 1...9 as ClosedRange<Int64> { try writer.insert(try bench.row(key, "\(key)")) }
                    try writer.setLinks(
                        friends, owner: 1, ownerEntity: 0, to: [Link(owner: 1, entity: 0, destination: 2)])
                }
                try store.publish()
                let runs = try store.runs().entries
                #expect(runs.map(\.id) == ["run-1"] && (runs.first?.revertBytes ?? 0) > 9 * 16)
                let reverted = try PostgreSQLStores.revert(url)
                #expect(reverted.removed == 9 && reverted.links == 1)
                #expect(try server.dump(url).keys.sorted() == ["granary_store"])
                #expect(
                    try sql("SELECT count(*) FROM \"granary$run\"; SELECT count(*) FROM \"granary$run_row\"") == "0\n0")
            }

            @Test func exchangedUniqueValuesAreExchangedBack() throws {
                let bench = try bench()
                let before = try server.dump(url)
                try bench.record("run-1") { writer in
                    try writer.update(try bench.row(1, nil))
                    try writer.update(try bench.row(2, "a"))
                    try writer.update(try bench.row(1, "b"))
                    try writer.delete(entity: 0, keys: [3])
                    try writer.insert(try bench.row(4, "c"))
                }
                #expect(try bench.store.revert(run: "run-1").restored == 2)
                #expect(try server.dump(url) == before)
            }

            @Test func aTakenUniqueValueIsNamed() throws {
                let bench = try bench()
                try bench.record("run-1") { try $0.delete(entity: 0, keys: [1, 3]) }
                try sql("INSERT INTO \"Person\" (\"$id\", name) VALUES (7, 'c')")
                let before = try server.dump(url)
                #expect(refusal(bench).contains("p3 cannot be restored: another object now has the same value (name)"))
                #expect(try server.dump(url) == before)
                try sql("DELETE FROM \"Person\" WHERE \"$id\" = 7")
                #expect(try bench.store.revert(run: "run-1").broughtBack == 2)
            }

            @Test func changesOfOtherProgramsAreConflicts() throws {
                let bench = try bench()
                try bench.record("run-1") { writer in
                    try writer.update(try bench.row(1, "x"))
                    try writer.insert(try bench.row(4, "d"))
                }
                // An object of which the run knows nothing can change.
                try sql("UPDATE \"Person\" SET name = 'z' WHERE \"$id\" = 2")
                try sql("UPDATE \"Person\" SET name = 'y' WHERE \"$id\" = 1")
                #expect(refusal(bench).contains("Person: p1 was changed since the run"))
                try sql("UPDATE \"Person\" SET name = 'x' WHERE \"$id\" = 1")
                // A link to an object that would be removed must not go with it.
                try sql("INSERT INTO \"Person.admirers\" VALUES (2, 4)")
                #expect(refusal(bench).contains("Person.admirers 2 refers by member to p4, which the run inserted"))
                #expect(try sql("SELECT count(*) FROM \"Person.admirers\"") == "1")
                try sql("DELETE FROM \"Person.admirers\"")
                try bench.store.revert(run: "run-1")
                #expect(try sql("SELECT string_agg(name, '' ORDER BY \"$id\") FROM \"Person\"") == "azc")
            }

            @Test func otherTablesAreARefusal() throws {
                let bench = try bench()
                try bench.record("run-1") { try $0.delete(entity: 0, keys: [1]) }
                try sql("ALTER TABLE \"Person\" ADD COLUMN note text")
                #expect(refusal(bench).contains("tables, indexes or triggers have changed since"))
                try sql("ALTER TABLE \"Person\" DROP COLUMN note")
                try bench.store.revert(run: "run-1")
                // A column that somebody has added is recorded, too.
                try sql("ALTER TABLE \"Person\" ADD COLUMN note text; UPDATE \"Person\" SET note = 'N' || name")
                try bench.record("run-2") { try $0.delete(entity: 0, keys: [1]) }
                try bench.store.revert(run: "run-2")
                #expect(try sql("SELECT note FROM \"Person\" WHERE \"$id\" = 1") == "Na")
            }

            @Test func triggersOfOthersDoNotRun() throws {
                let bench = try bench()
                try sql(
                    """
                    CREATE TABLE log (operation text);
                    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN INSERT INTO "\(name)".log VALUES (TG_OP); RETURN NULL; END $$;
                    CREATE TRIGGER z_update AFTER UPDATE ON "Person" FOR EACH STATEMENT EXECUTE FUNCTION note();
                    CREATE TRIGGER z_insert AFTER INSERT ON "Person" FOR EACH STATEMENT EXECUTE FUNCTION note();
                    ALTER TABLE "Person" DISABLE TRIGGER z_insert; ALTER TABLE "Person" ENABLE ALWAYS TRIGGER z_update
                    """)
                try bench.record("run-1") { writer in
                    try writer.update(try bench.row(1, "x"))
                    try writer.delete(entity: 0, keys: [2])
                }
                try bench.store.revert(run: "run-1")
                #expect(try sql("SELECT operation FROM log") == "UPDATE")
                let states =
                    "SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = '\"Person\"'::regclass AND NOT tgisinternal"
                #expect(try sql("\(states) ORDER BY 1") == "z_insert|D\nz_update|A")
                // One that runs for each row comes before those that record.
                try sql("CREATE TRIGGER each_row AFTER UPDATE ON \"Person\" FOR EACH ROW EXECUTE FUNCTION note()")
                let error = #expect(throws: GranaryError.self) { try bench.record("run-1") { _ in } }
                #expect(error?.message.contains("has the trigger \"each_row\"") == true)
            }

            @Test func derivedAttributesAreRestoredWithTheirSources() throws {
                let bench = try bench(
                    Self.model([
                        .attribute("plain", .string, .derived("canonical:(name)")),
                        .attribute("count", .integer64, .derived("friends.@count")),
                    ]))
                let before = try server.dump(url)
                let friends = try #require(bench.person.relationship(named: "friends"))
                try bench.record("run-1") { writer in
                    try writer.update(try bench.row(1, "X"))
                    try writer.setLinks(
                        friends, owner: 1, ownerEntity: 0, to: [Link(owner: 1, entity: 0, destination: 2)])
                }
                #expect(try sql("SELECT plain, count FROM \"Person\" WHERE \"$id\" = 1") == "x|1")
                try bench.store.revert(run: "run-1")
                #expect(try server.dump(url) == before)
            }

            @Test func theDataIsOfTheStore() throws {
                let bench = try bench()
                for run in ["run-1", "run-2", "run-3"] {
                    try bench.record(run) { try $0.delete(entity: 0, keys: [run == "run-1" ? 1 : 2]) }
                }
                // A run that changed nothing has no rows.
                #expect(try sql("SELECT DISTINCT run FROM \"granary$run_row\" ORDER BY 1") == "run-1\nrun-2")
                let removed = try PostgreSQLStores.removeOldRuns(url, keeping: 1)
                #expect(removed.map(\.id) == ["run-1", "run-2"])
                #expect(refusal(bench).contains("has no before-images of it"))
                #expect(try PostgreSQLStores.runs(url).ledgerRuns.map(\.isRevertible) == [false, false, true])
                // A history begins, the store is migrated to a newer model, and removed.
                _ = try StorePlace(url, timeout: .seconds(5))
                    .openOrCreate(
                        schema: bench.bench.schema, readOnly: false, tracksHistory: true, comparesHashes: true)
                #expect(refusal(bench, "run-3").contains("have changed since"))
                let newer = try Self.model([.attribute("age", .integer16)]).resolved()
                var migration = PostgreSQLMigration(url, output: nil, schema: bench.bench.schema, steps: [newer])
                migration.backup = "\(name).before"
                try migration.run()
                #expect(try PostgreSQLStores.runs(url).ledgerRuns.map(\.isRevertible) == [false, false, false])
                #expect(
                    try PostgreSQLStores.runs(server.url(schema: "\(name).before")).entries.last?.revertBytes != nil)
                for schema in [name, "\(name).before"] {
                    try PostgreSQLStores.destroy(server.url(schema: schema))
                    #expect(
                        try server.sql(
                            "SELECT count(*) FROM pg_class WHERE relnamespace = '\"\(schema)\"'::regnamespace") == "0")
                }
            }
        }
    }
#endif
