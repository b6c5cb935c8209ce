#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryCoreDataStore
    import GranaryModel
    import GranaryPostgreSQL
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryMigration

    /// Migrations of PostgreSQL stores.
    @Suite(.enabled(if: PostgreSQLServer.usable != nil, "skipped: PostgreSQL is not installed"))
    struct PostgreSQLMigrationTests {
        private let server: PostgreSQLServer
        private let name = "m\(UUID().uuidString.prefix(8).lowercased())"
        private var url: String { server.url(schema: name) }

        private static let book = EntityDescription(
            "Book", [.attribute("title", .string, .required), .attribute("pages", .integer16)])
        private static let newBook = newBook(noteIsOptional: true)

        private static func newBook(noteIsOptional: Bool) -> EntityDescription {
            EntityDescription(
                "Book",
                [
                    .attribute("title", .string, .required), .attribute("pages", .integer64),
                    noteIsOptional ? .attribute("note", .string) : .attribute("note", .string, .required),
                ])
        }

        init() throws { server = try PostgreSQLServer.required() }

        private func fill(_ entities: [EntityDescription] = [Self.book], titles: [String] = ["A", "B"]) throws {
            let container = try PersistentContainer(
                model: ManagedObjectModel(entities: entities), store: .postgresql(url))
            let context = container.makeContext()
            for title in titles {
                let book = try context.insert(into: "Book")
                try book.setValue(.string(title), forKey: "title")
                try book.setValue(.integer(Int64(title.utf8.count)), forKey: "pages")
            }
            try context.save()
        }

        @discardableResult
        private func migrate(
            to entities: [EntityDescription] = [Self.newBook], output: String? = nil,
            _ change: (inout StoreMigrationOptions) -> Void = { _ in }
        ) throws -> StoreMigrationReport {
            var options = StoreMigrationOptions()
            change(&options)
            let report = try StoreMigration(to: ManagedObjectModel(entities: entities), options: options)
                .run(path: url, model: nil, output: output)
            if let refusal = report.refusal { throw refusal }
            return report
        }

        private func sql(_ text: String) throws -> String {
            try server.sql("SET search_path = \"\(name)\"; \(text)")
        }

        static func compare(seed: UInt64) throws {
            let folder = try TemporaryFolder()
            let server = try PostgreSQLServer.required()
            // Every second one is copied into another schema.
            let (url, other) = (server.url(), server.url())
            try GeneratedMigrationTests.compare(seed: seed, in: folder, isSound: true) { migration, newer, model, old in
                let store = try PostgreSQLStores.create(
                    url, schema: try model.resolved(), identifier: UUID(uuidString: old.identifier))
                try StoreCopy(source: old, destination: store).run()
                try store.publish()
                let report: StoreMigrationReport
                do {
                    report = try migration.run(path: url, model: nil, output: seed % 2 == 0 ? nil : other)
                } catch let error as GranaryError where error.diagnostics.allSatisfy({ $0.code == .storeRefused }) {
                    // NULL in an attribute that the newer version requires, which an SQLite store keeps.
                    return nil
                }
                if let refusal = report.refusal { throw refusal }
                guard !report.isCurrent else { return nil }
                return try PostgreSQLStores.openForReading(seed % 2 == 0 ? url : other, model: newer)
            }
        }

        @Test(arguments: 0..<UInt64(4)) func `A migrated store has the objects of the twin`(_ seed: UInt64) throws {
            try Self.compare(seed: seed)
        }

        @Test func theOldTablesAreKeptInAnotherSchema() throws {
            try fill()
            let report = try migrate()
            #expect(report.backup?.contains("\(name).before-") == true)
            #expect(try sql("SELECT title, pages, note FROM \"Book\" ORDER BY title") == "A|1|\nB|1|")
            let schemas = try server.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%\(name)%' ORDER BY 1")
                .split(separator: "\n").map(String.init)
            #expect(schemas.count == 2)
            let backup = try #require(schemas.last)
            let old = try PersistentContainer(
                model: ManagedObjectModel(entities: [Self.book]), store: .postgresql(server.url(schema: backup)))
            #expect(try old.makeContext().count(for: FetchRequest("Book")) == 2)
            // The new tables are used like those of a new store.
            try fill([Self.newBook], titles: ["C"])
            #expect(try sql("SELECT max(\"$id\") FROM \"Book\"") == "3")
            #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'granary-migration%'") == "0")
        }

        @Test func aMigrationWithoutBackupDropsTheOldTables() throws {
            try fill()
            try migrate { $0.keepsBackup = false }
            #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '\(name)%'") == "1")
            let again = try migrate { $0.keepsBackup = false }
            #expect(again.isCurrent)
        }

        @Test func aDryRunAndARefusalChangeNothing() throws {
            try fill()
            let report = try migrate { $0.isDryRun = true }
            #expect(report.dryRun && report.entities.map(\.kept) == [2])
            let error = #expect(throws: GranaryError.self) { try migrate(to: [Self.newBook(noteIsOptional: false)]) }
            #expect(error?.code == .refused)
            #expect(try PostgreSQLStores.model(url).entities[0].attributes.count == 2)
            #expect(try sql("SELECT count(*) FROM \"Book\"") == "2")
        }

        @Test func aStoreIsMigratedIntoAnotherSchema() throws {
            try fill()
            let other = server.url()
            try migrate(output: other)
            #expect(try PostgreSQLStores.model(url).entities[0].attributes.count == 2)
            #expect(try PostgreSQLStores.model(other).entities[0].attributes.count == 3)
            let again = #expect(throws: GranaryError.self) { try migrate(output: other) }
            #expect(again?.code == .uncreatable)
            let file = #expect(throws: GranaryError.self) { try migrate(output: "New.sqlite") }
            #expect(file?.code == .usage)
        }

        /// Two entities, of which the newer model renames one with an attribute and removes the other.
        private static func tracked(isNew: Bool) -> ManagedObjectModel {
            var book = EntityDescription(
                isNew ? "Work" : "Book",
                [.attribute(isNew ? "name" : "title", .string), .attribute("pages", .integer16)])
            book.attributes[0].preservesValueInHistoryOnDeletion = true
            book.attributes[1].preservesValueInHistoryOnDeletion = true
            guard isNew else {
                return ManagedObjectModel(entities: [book, EntityDescription("Note", [.attribute("text", .string)])])
            }
            book.renamingIdentifier = "Book"
            book.attributes[0].renamingIdentifier = "title"
            return ManagedObjectModel(entities: [book])
        }

        private func container(_ url: String, _ model: ManagedObjectModel) throws -> PersistentContainer {
            var description = PersistentStoreDescription(.postgresql(url))
            description.tracksHistory = true
            return try PersistentContainer(model, [description])
        }

        private func history(_ container: PersistentContainer) throws -> [String] {
            try container.persistentStoreCoordinator.fetchHistory().map { transaction in
                let changes = transaction.changes.map { change in
                    let kept = change.tombstone.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text($0.value))" }
                    let names = (change.updatedProperties ?? []) + kept
                    return "\(change.changeType) \(change.changedObjectID.entityName) \(names.joined(separator: ","))"
                }
                return
                    "\(transaction.transactionNumber) \(transaction.author ?? "-"): \(changes.sorted().joined(separator: "; "))"
            }
        }

        private static func text(_ value: AttributeValue) -> String {
            switch value {
            case .string(let text): text
            case .integer(let number): "\(number)"
            default: "?"
            }
        }

        @Test(arguments: [false, true]) func aHistoryIsMigrated(intoAnotherSchema: Bool) throws {
            do {
                let context = try container(url, Self.tracked(isNew: false)).makeContext()
                context.transactionAuthor = "Ann"
                try context.insert(into: "Note")
                try context.save()
                let books = try (0..<2).map { _ in try context.insert(into: "Book") }
                try context.save()
                for (place, book) in books.enumerated() { try book.setValue(.string("B\(place)"), forKey: "title") }
                try books[0].setValue(7, forKey: "pages")
                try context.save()
                try context.delete(books[0])
                try context.save()
            }
            let output = intoAnotherSchema ? server.url() : nil
            var options = StoreMigrationOptions()
            options.allowsDrop = true
            let report = try StoreMigration(to: Self.tracked(isNew: true), options: options)
                .run(path: url, model: nil, output: output)
            #expect(report.refusal == nil)
            let migrated = try container(output ?? url, Self.tracked(isNew: true))
            let context = migrated.makeContext()
            try context.insert(into: "Work").setValue("new", forKey: "name")
            try context.save()
            let found = try history(migrated)
            let expected = [
                "1 Ann: ", "2 Ann: insert Work ; insert Work ", "3 Ann: update Work name; update Work name,pages",
                "4 Ann: delete Work name=B0,pages=7", "5 -: insert Work ",
            ]
            #expect(found == expected)
            // The old store goes on with its own history.
            let backup = report.backup?.split(separator: "\"").last.map(String.init)
            let old = intoAnotherSchema ? name : try #require(backup)
            let rest = try container(server.url(schema: old), Self.tracked(isNew: false))
            let other = rest.makeContext()
            for book in try other.fetch(FetchRequest("Book")) { try other.delete(book) }
            try other.save()
            let last = try history(rest).last
            #expect(last == "5 -: delete Book title=B1")
        }

        @Test func derivedAttributesAreComputedInTheNewTablesAndInTheOld() throws {
            func model(_ expression: String) -> ManagedObjectModel {
                ManagedObjectModel(entities: [
                    EntityDescription(
                        "Shelf",
                        [
                            .attribute("count", .integer64, .derived(expression)),
                            .toMany("books", "Book", inverse: "shelf"),
                        ]),
                    EntityDescription(
                        "Book", [.attribute("pages", .integer64), .toOne("shelf", "Shelf", inverse: "books")]),
                ])
            }
            _ = try PersistentContainer(model: model("books.@count"), store: .postgresql(url))
            _ = try sql(
                "INSERT INTO \"Shelf\" DEFAULT VALUES; INSERT INTO \"Book\" (pages, shelf) VALUES (20, 1), (22, 1)")
            let count = "SELECT count FROM \"Shelf\""
            #expect(try sql(count) == "2")
            let report = try StoreMigration(to: model("books.pages.@sum")).run(path: url, model: nil, output: nil)
            #expect(report.refusal == nil)
            #expect(try sql(count) == "42")
            let insert = "INSERT INTO \"Book\" (pages, shelf) VALUES (8, 1)"
            _ = try sql(insert)
            #expect(try sql(count) == "50")
            let backup = try #require(report.backup?.split(separator: "\"").last.map(String.init))
            #expect(try server.sql("SET search_path = \"\(backup)\"; \(insert); \(count)") == "3")
            // The next migration knows the triggers.
            var options = StoreMigrationOptions()
            options.keepsBackup = false
            let again = try StoreMigration(to: model("books.@count"), options: options)
                .run(path: url, model: nil, output: nil)
            #expect(again.refusal == nil)
            #expect(try sql(count) == "3")
        }

        @Test func rightsAndIndexesAreKept() throws {
            try fill()
            _ = try sql(
                "GRANT SELECT, UPDATE ON \"Book\" TO \(PostgreSQLServer.guardedUser); CREATE INDEX mine ON \"Book\" (upper(title))"
            )
            try migrate { $0.keepsBackup = false }
            let rights = try sql(
                "SELECT string_agg(privilege_type, ',' ORDER BY 1) FROM information_schema.role_table_grants WHERE table_schema = "
                    + "'\(name)' AND table_name = 'Book' AND grantee = '\(PostgreSQLServer.guardedUser)'")
            #expect(rights == "SELECT,UPDATE")
            let index = try sql("SELECT count(*) FROM pg_indexes WHERE schemaname = '\(name)' AND indexname = 'mine'")
            #expect(index == "1")
        }

        @Test(arguments: [
            "ALTER TABLE \"Book\" ADD COLUMN mine int", "CREATE VIEW mine AS SELECT title FROM \"Book\"",
            "CREATE TABLE mine (x bigint REFERENCES \"Book\")",
            "ALTER TABLE \"Book\" ADD CONSTRAINT mine CHECK (pages < 99)",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
                + "CREATE TRIGGER mine BEFORE INSERT ON \"Book\" FOR EACH ROW EXECUTE FUNCTION f()",
            "ALTER TABLE \"Book\" ALTER pages SET DEFAULT 3; COMMENT ON TABLE \"Book\" IS 'mine'; "
                + "CREATE STATISTICS mine (dependencies) ON title, pages FROM \"Book\"",
            "ALTER TABLE \"Book\" ENABLE ROW LEVEL SECURITY; CREATE TABLE mine (x int REFERENCES \"Book\")",
            "GRANT SELECT (title) ON \"Book\" TO \(PostgreSQLServer.guardedUser); CREATE VIEW mine AS TABLE \"Book\"",
            "CREATE POLICY mine ON \"Book\" USING (true)",
            "CREATE RULE mine AS ON INSERT TO \"Book\" DO ALSO NOTHING",
        ])
        func whatWouldBeLostIsARefusal(addition: String) throws {
            try fill()
            _ = try sql(addition)
            let error = #expect(throws: GranaryError.self) { try migrate() }
            #expect(error?.code == .refused)
            #expect(error?.diagnostics.contains { $0.message.contains("mine") } == true, "\(String(describing: error))")
            #expect(try sql("SELECT count(*) FROM \"Book\"") == "2")
        }

        @Test func aContainerMigratesAStore() throws {
            try fill()
            let container = try PersistentContainer(
                model: ManagedObjectModel(entities: [Self.newBook]), store: .postgresql(url))
            #expect(try container.makeContext().count(for: FetchRequest("Book")) == 2)
            #expect(try sql("SELECT count(*) FROM \"Book\" WHERE note IS NULL") == "2")
        }

        @Test func writersWaitForAMigrationAndReadersDoNot() throws {
            try fill()
            let waiting = "BEGIN; SET LOCAL lock_timeout = '50ms'; INSERT INTO \"Book\" (title) VALUES ('C'); ROLLBACK"
            var read: String?
            var isBlocked = false
            let migration = StoreMigration(to: ManagedObjectModel(entities: [Self.newBook]))
            _ = try migration.run(path: url, model: ManagedObjectModel?.none, output: String?.none) { _ in
                read = try sql("SELECT count(*) FROM \"Book\"")
                do { _ = try sql(waiting) } catch { isBlocked = "\(error)".contains("lock timeout") }
            }
            #expect(read == "2" && isBlocked)
        }
    }

    /// As ``PostgreSQLMigrationTests``, with more stores.
    @Suite(.enabled(if: PostgreSQLServer.usable != nil, "skipped: PostgreSQL is not installed"))
    struct PostgreSQLMigrationLongTests {
        @Test(arguments: 0..<10) func `A migrated store has the objects of the twin`(_ part: Int) throws {
            for seed in 0..<10 { try PostgreSQLMigrationTests.compare(seed: UInt64(2_000 + part * 10 + seed)) }
        }
    }
#endif
